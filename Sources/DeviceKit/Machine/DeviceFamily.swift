public import Bluetooth
public import JSON

/// A kind of device: how it is recognized, what it offers, and how it behaves.
///
/// A family is a value without state. It performs no input or output and has no clock and no `async`. Everything that
/// it does to a device is an ``Effect``.
public protocol DeviceFamily: Sendable {
    /// The family's name in configuration and topics: `belt`.
    var name: String { get }
    /// The product name as its maker writes it: `feelSpace naviBelt`.
    var displayName: String { get }
    /// How devices without a configured name are named.
    var naming: Naming { get }
    /// The last level of the topic for the group of all its devices: `belts` in `all/belts`.
    var plural: String { get }
    /// Distinguishes versions of the family. If a reload of the configuration changes the revision, the devices of the
    /// family get new state machines.
    var revision: String { get }
    /// Why the family cannot be used; nil if it works.
    var fault: String? { get }
    /// Where the family is declared: in the program or in a device file.
    var source: FamilySource { get }
    /// The conditions of ``recognises(_:)``, described for users and programs.
    var recognitions: [Recognition] { get }
    /// Whether a device can join during a `permit_join` that names neither its family nor its address.
    var joinsUnnamed: Bool { get }
    /// Whether a device is connected only after a `connect` request, because other hosts need it too.
    var connectsOnRequest: Bool { get }
    /// How such devices are used without a connection; nil for devices that are connected.
    var advertising: Advertising? { get }
    /// How a device with these settings is visited; nil for a device that stays connected or is never connected.
    func visiting(_ settings: Arguments) -> Visiting?
    /// The services whose advertised data the family uses, in addition to those of ``recognitions``.
    var serviceData: Set<UUID> { get }
    /// The companies whose manufacturer data the family uses, in addition to those of ``recognitions``.
    var companies: Set<UInt16> { get }
    /// Returns why the advertised data of a device cannot be used, for example without its key; nil if it can.
    func refusal(of advertisement: Advertisement, _ settings: Arguments) -> DeviceFailure?
    /// The requirements of the family for the Bluetooth link.
    var requirements: LinkRequirements { get }
    /// The settings of the family's configuration section and of each device.
    var settings: [Field] { get }
    /// The keys of ``settings`` that a request can change while devices are connected. Their state machines handle
    /// ``Input/settings(_:atOnce:)``.
    var changeableSettings: [String] { get }
    /// The reports and commands of the family's devices.
    var features: [Feature] { get }
    /// The characteristics whose values contain the text that the user types or speaks. A recording omits their bytes
    /// unless it explicitly includes them.
    var privateCharacteristics: Set<CharacteristicID> { get }
    /// How the family's devices keep an emergency stop over restarts of the bridge; nil for devices without an
    /// emergency stop.
    var latching: Latching? { get }
    /// Whether a device of the family accepts this command if it was sent to a group of devices.
    func takesFromGroup(_ feature: String, _ arguments: Arguments) -> Bool
    /// The features whose last value is sent to the device again when another host takes over its link. For this
    /// purpose, the command of each of these features accepts the values that the feature publishes.
    var handedOver: [String] { get }
    /// The maximum age at which the next host continues with the published value of a ``handedOver`` feature; nil if it
    /// never continues.
    ///
    /// - Parameter settings: The settings of the device.
    func handOverTime(_ settings: Arguments) -> Duration?
    /// Whether the published value of a ``handedOver`` feature contains anything with which the next host can continue.
    func isHandedOver(_ feature: String, _ value: JSON.Value) -> Bool
    /// The limits of the ``MotionGate`` that decides whether commands can move such a device; nil if devices of the
    /// family cannot injure people.
    ///
    /// - Parameter settings: The settings of the device.
    func motionLimits(_ settings: Arguments) -> MotionGate.Limits?
    /// Returns how a command affects the device's motion.
    ///
    /// - Parameter arguments: The arguments of the command; nil if its payload cannot be read.
    func motionRequest(_ feature: String, _ arguments: Arguments?) -> MotionRequest
    /// Whether an advertisement comes from a device of this family, as far as an advertisement can show this.
    func recognises(_ advertisement: Advertisement) -> Bool
    /// Returns how well an advertisement matches, for an advertisement that the family recognizes. If several
    /// families match, the device belongs to the family with the best rank.
    func rank(of advertisement: Advertisement) -> MatchRank
    /// Creates the state machine of one device.
    func makeMachine(_ context: DeviceContext) -> any DeviceMachine
    /// Returns the reply of a working device, for the tests and the fuzzer of all families. An implementation follows
    /// the protocol documents, not the family's codec. By default, a read returns the value that was written last.
    ///
    /// - Parameters:
    ///   - operation: The read, write or subscription.
    ///   - memory: The values that the device remembers; initially empty.
    func reply(to operation: LinkOperation, memory: inout [CharacteristicID: [UInt8]]) -> DeviceReply
    /// Returns how such a device would play a haptic pattern; nil for a device that cannot vibrate.
    ///
    /// - Parameter arguments: The arguments of a ``Feature/haptic(place:example:)`` command.
    /// - Throws: ``CommandError`` for invalid arguments.
    func preview(haptic arguments: Arguments) throws(CommandError) -> HapticPreview?
}

extension DeviceFamily {
    /// nil by default: such a device cannot injure people.
    public func motionLimits(_ settings: Arguments) -> MotionGate.Limits? { nil }

    /// By default, commands request no motion.
    public func motionRequest(_ feature: String, _ arguments: Arguments?) -> MotionRequest {
        MotionRequest(.none)
    }

    /// Empty by default.
    public var changeableSettings: [String] { [] }

    /// Empty by default.
    public var handedOver: [String] { [] }

    /// nil by default: values are never handed over.
    public func handOverTime(_ settings: Arguments) -> Duration? { nil }

    /// True by default.
    public func isHandedOver(_ feature: String, _ value: JSON.Value) -> Bool { true }

    /// By default, the weakest rank: a match of a part of the name.
    public func rank(of advertisement: Advertisement) -> MatchRank { MatchRank(.partialName) }

    /// The name with an `s` by default.
    public var plural: String { name + "s" }

    /// Empty by default: a built-in family has one version.
    public var revision: String { "" }

    /// nil by default.
    public var fault: String? { nil }

    /// ``FamilySource/builtIn`` by default.
    public var source: FamilySource { .builtIn }

    /// Empty by default.
    public var recognitions: [Recognition] { [] }

    /// True by default.
    public var joinsUnnamed: Bool { true }

    /// False by default.
    public var connectsOnRequest: Bool { false }

    /// nil by default: such a device is connected.
    public var advertising: Advertising? { nil }

    /// nil by default: such a device stays connected.
    public func visiting(_ settings: Arguments) -> Visiting? { nil }

    /// Empty by default.
    public var serviceData: Set<UUID> { [] }

    /// Empty by default.
    public var companies: Set<UInt16> { [] }

    /// nil by default: data can be used without a key.
    public func refusal(of advertisement: Advertisement, _ settings: Arguments) -> DeviceFailure? { nil }

    /// Empty by default.
    public var privateCharacteristics: Set<CharacteristicID> { [] }

    /// nil by default: such a device has no emergency stop.
    public var latching: Latching? { nil }

    /// nil by default: such a device cannot vibrate.
    public func preview(haptic arguments: Arguments) throws(CommandError) -> HapticPreview? { nil }
}

/// The use of a device that only advertises. It is never connected.
///
/// Its state machine receives ``Input/connected(_:)`` with an empty GATT table when the device is in range, and then
/// ``Input/advertised(_:)``. It reports ``Effect/ready`` once it has received data that it can use, and receives
/// ``Input/disconnected`` after the ``silence``.
public struct Advertising: Hashable, Sendable {
    /// The time without an advertisement after which the device is offline; nil for never.
    public var silence: Duration?

    /// Creates a description.
    public init(silence: Duration?) { self.silence = silence }
}

/// The state of the search for a device and of its link. The raw values are the words of the `connection` topic.
public enum LinkStage: String, Hashable, Sendable {
    /// No connection is attempted: there is no adapter, or the device is disabled.
    case disconnected
    /// The bridge waits for an advertisement of the device.
    case searching
    /// The link is being established.
    case connecting
    /// The device is being bonded.
    case pairing
    /// The link is up, and the handshake is in progress.
    case preparing
    /// The device is online.
    case connected
    /// The connection failed in a way that users need to know about; the bridge tries again.
    case error
}

/// How devices are named by default.
public enum Naming: Hashable, Sendable {
    /// The first device is `belt`, others are `belt/<id>`.
    case single
    /// Each device is `tap/<id>`.
    case each
}

/// The information that a state machine receives when it is created.
public struct DeviceContext: Hashable, Sendable {
    /// The device's address.
    public var address: Address
    /// The effective settings: the family's section, overridden by the settings of the device.
    public var settings: Arguments
    /// The values that an earlier machine of this device remembered.
    public var memory: JSON.Object
    /// The state of the emergency stop.
    public var latch: Latch

    /// Creates a context.
    public init(
        address: Address, settings: Arguments = [:], memory: JSON.Object = [:], latch: Latch = .unconfirmed
    ) {
        self.address = address
        self.settings = settings
        self.memory = memory
        self.latch = latch
    }
}

/// The behavior of one device: a pure state machine.
///
/// A state machine exists while the bridge manages the device, across any number of links. The same inputs always
/// produce the same effects.
public protocol DeviceMachine: Sendable {
    /// Handles one input.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - now: The time of the input, on a monotonic clock that includes suspend.
    ///   - effects: The collection to which the effects are added, in order.
    mutating func handle(_ input: Input, at now: Duration, effects: inout Effects)

    /// Handles a change of the search for the device or of its link, for state machines that publish this stage in a
    /// feature of their family.
    ///
    /// - Parameters:
    ///   - stage: The new stage.
    ///   - now: The time, as in ``handle(_:at:effects:)``.
    ///   - effects: The collection to which the effects are added, in order.
    mutating func stageChanged(to stage: LinkStage, at now: Duration, effects: inout Effects)

    /// The writes that are necessary now if the bridge crashes.
    var will: Will { get }

    /// Whether the device is certain to obey the newest ``Input/stop(_:)`` after it accepts the writes. If the
    /// protocol cannot guarantee this, the value is false, and the answer to `all/stop` contains `"confirmed":false`.
    var isStopCertain: Bool { get }

    /// Whether a command with ``MotionDemand/power`` has switched the device on; false for a device without such a
    /// command.
    var hasPower: Bool { get }
}

/// A few writes that make a device safe when the bridge no longer controls it.
///
/// The guardian, a separate process, carries out the writes in two cases. If the bridge is dead, the guardian makes
/// ``writes`` and closes the link. If the bridge is silent beyond the ``deadline`` while the device moves, the guardian
/// makes only ``deadlineWrites``. A bridge whose process was stopped or starved resumes later with its own view of the
/// device, which must still be correct.
public struct Will: Hashable, Sendable {
    /// The writes if the bridge is dead, in order.
    public var writes: [Write]
    /// The time until which the current motion is allowed without an update from the bridge; nil for no limit.
    public var deadline: Duration?
    /// The writes after a deadline that the bridge neither extended nor canceled, in order. They only end the motion.
    /// If nil, ``writes`` are made instead.
    public var deadlineWrites: [Write]?
    /// The characteristics that return the last write when read. A write to one of these is repeated until a read
    /// confirms it. Other writes are complete when the device acknowledges them or, without response, when the host
    /// accepts them.
    public var readBack: [CharacteristicID]
    /// Whether the device stops automatically when it loses its link. If so, the guardian closes the link if the writes
    /// fail.
    public var stopsWithoutLink: Bool

    /// Creates a will.
    public init(
        writes: [Write] = [], deadline: Duration? = nil, deadlineWrites: [Write]? = nil,
        readBack: [CharacteristicID] = [], stopsWithoutLink: Bool = false
    ) {
        self.writes = writes
        self.deadline = deadline
        self.deadlineWrites = deadlineWrites
        self.readBack = readBack
        self.stopsWithoutLink = stopsWithoutLink
    }

    /// A will without writes.
    public static let none = Will()
}

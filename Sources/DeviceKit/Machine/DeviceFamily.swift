public import Bluetooth
public import JSON

/// A kind of device: how it is recognised, what it offers, and how it behaves.
///
/// A family is a value without state. It contains no input or output, no clock and no `async`; what it does
/// to a device it says as ``Effect`` values.
public protocol DeviceFamily: Sendable {
    /// The family's name in configuration and topics: `belt`.
    var name: String { get }
    /// The device's name as its maker writes it: `feelSpace naviBelt`.
    var displayName: String { get }
    /// How its devices are named without a configured name.
    var naming: Naming { get }
    /// The last level of the group of all its devices: `belts` in `all/belts`.
    var plural: String { get }
    /// What tells two versions of the family apart: after a reload the devices of a family with another
    /// revision get new state machines.
    var revision: String { get }
    /// Why its devices cannot be used; nil for a family that works.
    var fault: String? { get }
    /// Where it comes from.
    var source: FamilySource { get }
    /// How its devices are recognized, for people and programs that ask: what ``recognises(_:)`` decides by.
    var recognitions: [Recognition] { get }
    /// Whether a device joins a window of `permit_join` that names neither its family nor its address.
    var joinsUnnamed: Bool { get }
    /// Whether a device is connected only after a `connect` request, because other hosts want it too.
    var connectsOnRequest: Bool { get }
    /// What the family needs of the Bluetooth link.
    var requirements: LinkRequirements { get }
    /// What a configuration may say of such devices: in the family's section, and for each device.
    var settings: [Field] { get }
    /// The keys of ``settings`` that a request may change while devices are connected: their state machines take
    /// ``Input/settings(_:atOnce:)``.
    var changeableSettings: [String] { get }
    /// What such devices say and do.
    var features: [Feature] { get }
    /// The characteristics whose values tell what a person types or says: a recording leaves their bytes out
    /// unless it is made with them.
    var privateCharacteristics: Set<CharacteristicID> { get }
    /// How such devices keep an emergency stop over restarts; nil where they have none.
    var latching: Latching? { get }
    /// Whether such a device takes a command that was sent to a group of devices.
    func takesFromGroup(_ feature: String, _ arguments: Arguments) -> Bool
    /// The features that go on when the device changes hosts: the value that each publishes is one that it takes.
    var handedOver: [String] { get }
    /// How old a value of one of them may be for the next host to go on with it; nil for never.
    ///
    /// - Parameter settings: Those in force for the device.
    func handOverTime(_ settings: Arguments) -> Duration?
    /// Whether there is anything to go on with in a value of one of them.
    func isHandedOver(_ feature: String, _ value: JSON.Value) -> Bool
    /// What decides whether such a device may move; nil for one that cannot hurt anybody.
    ///
    /// - Parameter settings: Those in force for the device.
    func motionLimits(_ settings: Arguments) -> MotionGate.Limits?
    /// What a command asks of the device's motion.
    ///
    /// - Parameter arguments: Those of the command; nil where its payload cannot be read.
    func motionRequest(_ feature: String, _ arguments: Arguments?) -> MotionRequest
    /// Whether the advertisement is of such a device.
    func recognises(_ advertisement: Advertisement) -> Bool
    /// How well an advertisement fits that the family recognizes: of several families that may have the device
    /// the best one gets it.
    func rank(of advertisement: Advertisement) -> MatchRank
    /// Makes the state machine of one device.
    func makeMachine(_ context: DeviceContext) -> any DeviceMachine
    /// Says what a device replies when all is well, for the tests and the fuzzer that every family gets: from
    /// the documents of its protocol, not from the family's codec. Without it a device gives back what was
    /// written.
    ///
    /// - Parameters:
    ///   - operation: What is asked of the device.
    ///   - memory: What the device remembers; nothing at first.
    func reply(to operation: LinkOperation, memory: inout [CharacteristicID: [UInt8]]) -> DeviceReply
    /// Shows how such a device would play a haptic pattern; nil where it cannot vibrate.
    ///
    /// - Parameter arguments: Those of a ``Feature/haptic(place:example:)`` command.
    /// - Throws: ``CommandError`` that says what is wrong with them.
    func preview(haptic arguments: Arguments) throws(CommandError) -> HapticPreview?
}

extension DeviceFamily {
    /// Nothing: such a device cannot hurt anybody, unless its family says otherwise.
    public func motionLimits(_ settings: Arguments) -> MotionGate.Limits? { nil }

    /// Nothing, unless the family says otherwise.
    public func motionRequest(_ feature: String, _ arguments: Arguments?) -> MotionRequest {
        MotionRequest(.none)
    }

    /// None, unless the family says otherwise.
    public var changeableSettings: [String] { [] }

    /// None, unless the family says otherwise.
    public var handedOver: [String] { [] }

    /// Never, unless the family says otherwise.
    public func handOverTime(_ settings: Arguments) -> Duration? { nil }

    /// True, unless the family says otherwise.
    public func isHandedOver(_ feature: String, _ value: JSON.Value) -> Bool { true }

    /// The weakest, unless the family says otherwise.
    public func rank(of advertisement: Advertisement) -> MatchRank { MatchRank(.partialName) }

    /// The name with an `s`, unless the family says otherwise.
    public var plural: String { name + "s" }

    /// Empty: a family that is part of the program has one version.
    public var revision: String { "" }

    /// None, unless the family says otherwise.
    public var fault: String? { nil }

    /// The program, unless the family says otherwise.
    public var source: FamilySource { .builtIn }

    /// None, unless the family says otherwise.
    public var recognitions: [Recognition] { [] }

    /// True, unless the family says otherwise.
    public var joinsUnnamed: Bool { true }

    /// False, unless the family says otherwise.
    public var connectsOnRequest: Bool { false }

    /// None, unless the family says otherwise.
    public var privateCharacteristics: Set<CharacteristicID> { [] }

    /// None: such a device has no emergency stop, unless its family says otherwise.
    public var latching: Latching? { nil }

    /// Nothing: such a device cannot vibrate, unless its family says otherwise.
    public func preview(haptic arguments: Arguments) throws(CommandError) -> HapticPreview? { nil }
}

/// Where the search for a device and its link stand: the words of the `connection` topic.
public enum LinkStage: String, Hashable, Sendable {
    /// Nothing is tried: there is no adapter, or the device is not wanted any more.
    case disconnected
    /// The device is waited for.
    case searching
    /// A link is being made.
    case connecting
    /// A bond is being made.
    case pairing
    /// The link is there; the device is being made ready.
    case preparing
    /// The device can be used.
    case connected
    /// It failed in a way that a person should know of; it is tried again.
    case error
}

/// The default name of devices.
public enum Naming: Hashable, Sendable {
    /// The first is `belt`, others `belt/<id>`.
    case single
    /// Each is `tap/<id>`.
    case each
}

/// What a state machine is told of its device when it is made.
public struct DeviceContext: Hashable, Sendable {
    /// The device's address.
    public var address: Address
    /// The settings in force for it: the family's section, overridden by the device's own.
    public var settings: Arguments
    /// What an earlier machine of this device asked to remember.
    public var memory: JSON.Object
    /// What is known of its emergency stop.
    public var latch: Latch

    /// Makes a context.
    public init(
        address: Address, settings: Arguments = [:], memory: JSON.Object = [:], latch: Latch = .unconfirmed
    ) {
        self.address = address
        self.settings = settings
        self.memory = memory
        self.latch = latch
    }
}

/// The behaviour of one device: a pure state machine.
///
/// It lives as long as the bridge knows the device, over any number of links. The same inputs always give the
/// same effects.
public protocol DeviceMachine: Sendable {
    /// Takes one input and says what is to be done.
    ///
    /// - Parameters:
    ///   - input: What happened.
    ///   - now: When it happened, on a monotonic clock that does not stand still in suspend.
    ///   - effects: Where to add what is to be done, in order.
    mutating func handle(_ input: Input, at now: Duration, effects: inout Effects)

    /// Takes the news of where the search for the device and its link stand, for families that report it
    /// themselves; others need not say anything of it.
    ///
    /// - Parameters:
    ///   - stage: Where it stands now.
    ///   - now: When, as for ``handle(_:at:effects:)``.
    ///   - effects: Where to add what is to be done, in order.
    mutating func stageChanged(to stage: LinkStage, at now: Duration, effects: inout Effects)

    /// What must be written to the device if the bridge dies without a goodbye, as of now.
    var will: Will { get }

    /// Whether the device is certain to obey what the newest ``Input/stop(_:)`` wrote once that is taken;
    /// false where its protocol leaves that open, and the answer of `all/stop` then says `"confirmed":false`.
    var isStopCertain: Bool { get }

    /// Whether the device has the power that a command with ``MotionDemand/power`` asks for, as it is commanded; false for
    /// a device without such a command.
    var hasPower: Bool { get }
}

/// A few writes that make a device safe when the bridge cannot talk to it any more.
///
/// There are two occasions. The bridge is dead: then ``writes`` are made and the link is closed. Or it is
/// silent while the device moves, beyond the ``deadline``: then only ``deadlineWrites`` are made, because a
/// bridge that was stopped or starved wakes again and goes by what it knows of the device.
public struct Will: Hashable, Sendable {
    /// The writes when the bridge is dead, in order.
    public var writes: [Write]
    /// Until when the device may go on as it does without a word from the bridge; nil where it may for ever.
    public var deadline: Duration?
    /// The writes when the deadline is over and the bridge neither moved nor ended it, in order: what ends
    /// the motion and no more; nil: the same ``writes``.
    public var deadlineWrites: [Write]?
    /// The characteristics that read back what was written last. A write to one of these is repeated until a
    /// read confirms it; any other counts once the device acknowledged it or, without response, the host took
    /// it.
    public var readBack: [CharacteristicID]
    /// Whether the device stops by itself when it loses its link: then the link is closed if its writes do
    /// not work.
    public var stopsWithoutLink: Bool

    /// Makes a will.
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

    /// Nothing needs to be done.
    public static let none = Will()
}

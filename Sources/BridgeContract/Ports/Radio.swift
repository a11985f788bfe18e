public import Bluetooth
public import DeviceKit

/// The bridge's way to devices: what is heard, and links to them. `BlueZ` stands behind it.
public protocol Radio: Sendable {
    /// Tells what happens on the air and to the adapters, from the moment of the call on; what is known
    /// already comes first, before this returns. One caller.
    ///
    /// - Parameter handler: Called on the bridge's executor for each event as it happens: nothing waits in
    ///   between.
    func onEvent(_ handler: @escaping @Sendable (RadioEvent) -> Void)

    /// Asks to hear devices that are not connected; discovery runs while at least one token lives.
    func startDiscovery() async -> any DiscoveryToken

    /// Connects to a device, waits for its GATT table and returns the link.
    ///
    /// - Parameters:
    ///   - address: The device; it must have been heard or be known to the host.
    ///   - requirements: What the family needs of the link.
    ///   - handler: Told of notifications and of the link's end, on the executor of the bridge, in order,
    ///     without a hop in between.
    /// - Throws: ``RadioError``.
    func connect(
        _ address: Address, requirements: LinkRequirements,
        handler: @escaping @Sendable (LinkEvent) -> Void
    ) async throws(RadioError) -> any DeviceLink

    /// Ends an attempt to connect to a device that another host has got: it throws `unreachable` soon.
    func giveUp(_ address: Address)

    /// Takes note of the adapters that bear no more links: a device is connected over another one that hears it, unless
    /// one of these holds a bond with it.
    func avoid(_ adapters: Set<String>)

    /// Bonds with a device, and trusts it once its services are known and are those of no input device,
    /// unless the family is one.
    ///
    /// - Parameter requirements: What the family needs of the link.
    /// - Throws: ``RadioError``; `inputDevice` where the bond was made with an input device that is not
    ///   wanted: its link is
    ///   closed, its bond is there.
    func pair(_ address: Address, requirements: LinkRequirements) async throws(RadioError)

    /// Forgets a device and its bond.
    ///
    /// - Throws: ``RadioError``.
    func forget(_ address: Address) async throws(RadioError)

    /// Tells once more of a device, as ``RadioEvent/heard(_:adapter:)``, if the host is connected to it: it
    /// does not advertise then, so that nothing else would tell of it.
    func replayIfConnected(_ address: Address) async

    /// Tells once more, as ``RadioEvent/heard(_:adapter:)``, of every device that the host is connected to or bonded with.
    func replayKnown() async

    /// What the host's Bluetooth is, for people.
    func describe() async -> RadioDescription
}

/// Keeps discovery running until it is ended.
public protocol DiscoveryToken: Sendable {
    /// Ends this wish for discovery; a second call does nothing.
    func end() async
}

/// A link to a device.
public protocol DeviceLink: Sendable {
    /// The GATT table of the link, as far as the family asked for it.
    var profile: LinkProfile { get }
    /// The adapter that holds it: `hci0`.
    var adapter: String { get }
    /// Where another process that writes to the device finds it.
    var place: LinkPlace { get }
    /// Begins an operation; on the bridge's executor only. The caller sees to it that one operation at a time
    /// is under way on a characteristic.
    ///
    /// Notifications that were asked for arrive at the handler given to
    /// ``Radio/connect(_:requirements:handler:)``.
    ///
    /// - Parameters:
    ///   - isWanted: Is asked on the bridge's executor whenever a value is about to leave; where it says no the value is
    ///     not written, and the write has failed.
    ///   - completion: Called once, on the bridge's executor, possibly before this returns: with the value of a read,
    ///     with nothing for the others.
    func perform(
        _ operation: LinkOperation, while isWanted: @escaping @Sendable () -> Bool,
        then completion: @escaping @Sendable (Result<[UInt8], OperationError>) -> Void)
    /// Tells that the device can be used: it need not bond any more.
    func settle() async
    /// Closes the link; returns when it is closed, or after a bounded time.
    func disconnect() async
    /// Ends this program's part of a link that another program uses too: its subscriptions. The link stays.
    func leave() async
}

/// Where a connected device is to be found without the bridge: BlueZ's object paths.
public struct LinkPlace: Hashable, Sendable {
    /// The device: `/org/bluez/hci0/dev_AA_BB_CC_DD_EE_FF`.
    public var device: String
    /// The characteristics that are there.
    public var characteristics: [CharacteristicID: String]

    /// Makes a place.
    public init(device: String, characteristics: [CharacteristicID: String]) {
        self.device = device
        self.characteristics = characteristics
    }
}

/// Says why a link could not be made.
public struct RadioError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds, which decide when and how the session tries again.
    public enum Code: String, Hashable, Sendable {
        /// No adapter, or it is switched off, or the Bluetooth service is away.
        case unavailable
        /// The device is not heard and not known.
        case unknownDevice
        /// It did not answer: out of reach, or switched off.
        case unreachable
        /// It refuses clients that are not bonded with it.
        case pairingRequired
        /// Bonding was refused or failed.
        case pairingFailed
        /// It lacks characteristics that its family needs.
        case wrongProfile
        /// The Bluetooth service keeps a service of the device to itself that its family needs.
        case serviceClaimed
        /// It shows itself to be a keyboard or the like, which its family is not.
        case inputDevice
        /// Something else is being done with it; soon again.
        case busy
        /// The adapter bears no more links.
        case noSlot
        /// Anything else, in the message.
        case failed
    }

    /// The kind.
    public var code: Code
    /// What happened, in words.
    public var message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// `unreachable: le-connection-abort-by-local`
    public var description: String { "\(code.rawValue): \(message)" }
}

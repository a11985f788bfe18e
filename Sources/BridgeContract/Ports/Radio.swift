public import Bluetooth
public import DeviceKit

/// The bridge's access to Bluetooth devices: advertisements and links; implemented by the module `BlueZ`.
public protocol Radio: Sendable {
    /// Reports events of devices and adapters from this call on. The known state comes first, before this method
    /// returns. Call it once.
    ///
    /// - Parameter handler: Called on the bridge's executor for each event, without a queue in between.
    func onEvent(_ handler: @escaping @Sendable (RadioEvent) -> Void)

    /// Requests discovery of devices that are not connected. Discovery runs while at least one token exists.
    func startDiscovery() async -> any DiscoveryToken

    /// Connects to a device, waits for its GATT table and returns the link.
    ///
    /// - Parameters:
    ///   - address: The device; it must have advertised, or be known to the host.
    ///   - requirements: The requirements of the family for the link.
    ///   - handler: Receives the notifications and the end of the link, in order, on the bridge's executor without a
    ///     hop in between.
    /// - Throws: ``RadioError``.
    func connect(
        _ address: Address, requirements: LinkRequirements,
        handler: @escaping @Sendable (LinkEvent) -> Void
    ) async throws(RadioError) -> any DeviceLink

    /// Cancels the current attempt to connect to a device, because another host has connected to the device. The
    /// attempt then throws `unreachable`.
    func cancelConnecting(_ address: Address)

    /// Sets the services and the companies whose advertised data is used. Advertisements contain no other data.
    func use(serviceData services: Set<UUID>, companies: Set<UInt16>)

    /// Sets the adapters that support no more links. A device is connected over another adapter in range, unless one of
    /// these adapters has a bond with it.
    func avoid(_ adapters: Set<String>)

    /// Uses a Bluetooth proxy, or leaves it to another bridge. A radio with proxies that other bridges may use too uses
    /// none of them before this call.
    ///
    /// - Parameter bridge: The bridge that uses the proxy; nil if none does, so that this bridge uses it.
    func share(_ adapter: String, heldBy bridge: String?)

    /// Bonds with a device. Marks it as trusted on the host once its services are known, unless it is an input device
    /// and its family is no input family.
    ///
    /// - Parameter requirements: The requirements of the family for the link.
    /// - Throws: ``RadioError``; `inputDevice` if the bond was made with an unexpected input device. Then the link is
    ///   closed and the bond remains.
    func pair(_ address: Address, requirements: LinkRequirements) async throws(RadioError)

    /// Removes a device and its bond from the host.
    ///
    /// - Throws: ``RadioError``.
    func forget(_ address: Address) async throws(RadioError)

    /// Reports a device again, as ``RadioEvent/heard(_:adapter:)``, if the host is connected to it. A connected device
    /// does not advertise, so no other event would report it.
    func replayIfConnected(_ address: Address) async

    /// Reports every device again, as ``RadioEvent/heard(_:adapter:)``, that the host is connected to or bonded with.
    func replayKnown() async

    /// Returns a description of the host's Bluetooth, for users.
    func describe() async -> RadioDescription
}

extension Radio {
    /// Does nothing: the radio has no proxies.
    public func share(_ adapter: String, heldBy bridge: String?) {}
}

/// A request for discovery, valid until ``end()``.
public protocol DiscoveryToken: Sendable {
    /// Ends this request for discovery; a second call does nothing.
    func end() async
}

/// A link to a device.
public protocol DeviceLink: Sendable {
    /// The part of the link's GATT table that the family of the device requires.
    var profile: LinkProfile { get }
    /// The adapter that the link uses, such as `hci0`.
    var adapter: String { get }
    /// The object paths that another process, the guardian, needs to write to the device.
    var place: LinkPlace { get }
    /// Starts an operation; call it on the bridge's executor only. The caller must run at most one operation at a time
    /// on each characteristic.
    ///
    /// Notifications arrive at the handler of ``Radio/connect(_:requirements:handler:)``.
    ///
    /// - Parameters:
    ///   - isWanted: Called on the bridge's executor just before a value is sent; if it returns false, the value is not
    ///     written and the write fails.
    ///   - completion: Called once, on the bridge's executor, possibly before this method returns: with the value of a
    ///     read, with an empty array for other operations.
    func perform(
        _ operation: LinkOperation, while isWanted: @escaping @Sendable () -> Bool,
        then completion: @escaping @Sendable (Result<[UInt8], OperationError>) -> Void)
    /// Marks the device as ready to use: it no longer needs to bond.
    func settle() async
    /// Closes the link; returns when it is closed, or after a limited time.
    func disconnect() async
    /// Ends this program's subscriptions on a link that another program also uses. The link stays open.
    func leave() async
}

extension DeviceLink {
    /// Whether the link leads over a Bluetooth proxy. Any of the link's properties may show it.
    public var isOverProxy: Bool {
        profile.isOverProxy || place.isOverProxy || AdapterName.isProxy(adapter)
    }
}

/// Where a device is connected. With the object paths of BlueZ, another process can write to the device. Nobody else can
/// write to a device over a Bluetooth proxy.
public struct LinkPlace: Hashable, Sendable {
    /// The object path of the device, such as `/org/bluez/hci0/dev_AA_BB_CC_DD_EE_FF`; over a proxy the proxy's name and
    /// the address.
    public var device: String
    /// The paths of the characteristics that exist; empty over a proxy.
    public var characteristics: [CharacteristicID: String]
    /// Whether the link leads over a Bluetooth proxy.
    public let isOverProxy: Bool

    /// Creates a place from object paths.
    public init(device: String, characteristics: [CharacteristicID: String]) {
        self.device = device
        self.characteristics = characteristics
        isOverProxy = false
    }

    /// Creates the place of a device over a Bluetooth proxy.
    ///
    /// - Parameter proxy: The adapter name of the proxy, such as `proxy/kitchen`.
    public init(proxy: String, address: Address) {
        device = "\(proxy)/\(address)"
        characteristics = [:]
        isOverProxy = true
    }
}

/// The reason why a link could not be established.
public struct RadioError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of error, which define when and how the session retries.
    public enum Code: String, Hashable, Sendable {
        /// There is no adapter, or it is switched off, or the Bluetooth service is not running.
        case unavailable
        /// The device is not in range and not known to the host.
        case unknownDevice
        /// The device did not answer: it is out of range or switched off.
        case unreachable
        /// The device refuses clients that are not bonded with it.
        case pairingRequired
        /// Bonding was refused or failed.
        case pairingFailed
        /// The device lacks characteristics that its family requires.
        case wrongProfile
        /// The Bluetooth service has exclusive use of a GATT service that the family requires.
        case serviceClaimed
        /// The device is an input device such as a keyboard, but its family is no input family.
        case inputDevice
        /// Another operation on the device is in progress; retry soon.
        case busy
        /// The adapter supports no more links.
        case noSlot
        /// Only a Bluetooth proxy receives the device, which must not be connected over a proxy.
        case proxyOnly
        /// Any other error, described in the message.
        case failed
    }

    /// The kind of error.
    public var code: Code
    /// What happened, in words.
    public var message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the message, such as `unreachable: le-connection-abort-by-local`.
    public var description: String { "\(code.rawValue): \(message)" }
}

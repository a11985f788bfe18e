import Bluetooth
import DBus

/// Identifies a device of an adapter.
struct DeviceKey: Hashable, Sendable {
    /// The name of the adapter, such as `hci0`.
    var adapter: String
    /// The scenario name of the device.
    var name: String
}

/// What the daemon knows about a device, for one adapter.
struct DeviceRecord: Sendable {
    /// How far the connection to the device has progressed.
    enum Link: Hashable, Sendable {
        case down
        /// A client waits for the connection, or the system connects a bonded device automatically.
        case connecting
        case up
        /// `Disconnect` was called, and the connection still exists.
        case closing
    }

    /// A pairing in progress.
    struct Pairing: Hashable, Sendable {
        /// The call of `Pair`; nil if an access to a characteristic that requires encryption, or a plugin, started the
        /// pairing.
        var call: Int?
        /// The client whose pairing agent is asked.
        var sender: String?
        /// The number of the unanswered question to an agent; nil for none.
        var question: Int?
    }

    /// An operation that waits for encryption.
    enum Waiting: Hashable, Sendable {
        case read(Int)
        case write(Int, call: Int, [UInt8])
        case subscribe(Int, call: Int, sender: String)
        case acquire(Int, call: Int, sender: String)
    }

    let path: ObjectPath
    let address: Bluetooth.Address
    let hasRandomAddress: Bool
    var name: String
    var alias: String?
    var uuids: Set<UUID>
    var appearance: UInt16?
    var manufacturerData: [UInt16: [UInt8]] = [:]
    var serviceData: [UUID: [UInt8]] = [:]
    var rssi: Int16?
    var isTemporary = true
    var isBonded = false
    var isTrusted = false
    var isBlocked = false
    var link = Link.down
    var areServicesResolved = false
    var isEncrypted = false
    var mtu: UInt16 = 23
    /// Whether a bonded device may be connected automatically. A call of `Disconnect` prevents this until the next call
    /// of `Connect`.
    var mayReconnect = true
    var connectCall: Int?
    var disconnectCalls: [Int] = []
    var isToBeForgotten = false
    var pairing: Pairing?
    /// The number of the unanswered question to an agent about the input service of Bluetooth Classic.
    var authorization: Int?
    var waiting: [Waiting] = []
    /// The GATT table, after it was discovered.
    var table: AttributeTable?
    /// Whether the GATT objects are on the bus.
    var isExported = false
    var characteristics: [CharacteristicRecord] = []
    var battery: UInt8?

    init(path: ObjectPath, address: Bluetooth.Address, hasRandomAddress: Bool, name: String, uuids: Set<UUID>)
    {
        self.path = path
        self.address = address
        self.hasRandomAddress = hasRandomAddress
        self.name = name
        self.uuids = uuids
    }

    /// The value of `Device1.Connected`.
    var isConnected: Bool { link == .up || link == .closing }

    /// Whether the system connects the device automatically, which it does for bonded input devices.
    var connectsByItself: Bool {
        isBonded && mayReconnect && table?.hasInput == true
    }

    /// The index of a characteristic in ``characteristics``.
    func index(of id: CharacteristicID) -> Int? { characteristics.firstIndex { $0.id == id } }
}

/// What the daemon knows about a characteristic, in addition to the attribute table (``AttributeTable``).
struct CharacteristicRecord: Sendable {
    let id: CharacteristicID
    var value: [UInt8] = []
    /// The subscribed clients, in order.
    var subscribers: [String] = []
    var isNotifying = false
    /// Whether a plugin of the daemon holds a subscription.
    var isHeldByPlugin = false
    var notifyChannel: Int?
    var writeChannel: Int?
    /// The client calls that wait for the current read.
    var reads: [Int] = []
    var readOffset = 0
    /// The call of the write that the device has not answered yet; nil if there is none.
    var write: Int?

    init(_ id: CharacteristicID) { self.id = id }

    /// Whether a client or a plugin has subscribed to notifications.
    var isWanted: Bool { isHeldByPlugin || !subscribers.isEmpty || notifyChannel != nil }
}

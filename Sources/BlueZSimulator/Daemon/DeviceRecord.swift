import Bluetooth
import DBus

/// Names a device as an adapter knows it.
struct DeviceKey: Hashable, Sendable {
    /// The adapter: `hci0`.
    var adapter: String
    /// The scenario name of the device.
    var name: String
}

/// What an adapter knows of a device.
struct DeviceRecord: Sendable {
    /// How far a link is.
    enum Link: Hashable, Sendable {
        case down
        /// A client waits for it, or the system does for a bonded device.
        case connecting
        case up
        /// `Disconnect` was called; still alive.
        case closing
    }

    /// A pairing that is under way.
    struct Pairing: Hashable, Sendable {
        /// The call of `Pair`; nil if an encrypted value or a plugin made it begin.
        var call: Int?
        /// Whose agent is to be asked.
        var sender: String?
        /// The number of the question to an agent that waits for an answer.
        var question: Int?
    }

    /// Something that waits for the link to be encrypted.
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
    var rssi: Int16?
    var isTemporary = true
    var isBonded = false
    var isTrusted = false
    var isBlocked = false
    var link = Link.down
    var areServicesResolved = false
    var isEncrypted = false
    var mtu: UInt16 = 23
    /// Whether `Disconnect` ended the wish to connect a bonded device by itself.
    var mayReconnect = true
    var connectCall: Int?
    var disconnectCalls: [Int] = []
    var isToBeForgotten = false
    var pairing: Pairing?
    /// The number of the question to an agent whether the device may use the classic radio's input service.
    var authorization: Int?
    var waiting: [Waiting] = []
    /// The GATT table, once it has been seen.
    var table: AttributeTable?
    /// Whether its objects are on the bus.
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

    /// Whether `Device1.Connected` is true.
    var isConnected: Bool { link == .up || link == .closing }

    /// Whether the system connects it by itself: bonded input devices.
    var connectsByItself: Bool {
        isBonded && mayReconnect && table?.hasInput == true
    }

    /// The place of a characteristic in ``characteristics``.
    func index(of id: CharacteristicID) -> Int? { characteristics.firstIndex { $0.id == id } }
}

/// What the daemon knows of a characteristic beyond the table.
struct CharacteristicRecord: Sendable {
    let id: CharacteristicID
    var value: [UInt8] = []
    /// The clients that subscribed, in order.
    var subscribers: [String] = []
    var isNotifying = false
    /// Where the subscription of the daemon's own plugin counts.
    var isHeldByPlugin = false
    var notifyChannel: Int?
    var writeChannel: Int?
    /// The reads that one answer will serve.
    var reads: [Int] = []
    var readOffset = 0
    /// The write that waits for its answer.
    var write: Int?

    init(_ id: CharacteristicID) { self.id = id }

    /// Whether a client has subscribed to notifications.
    var isWanted: Bool { isHeldByPlugin || !subscribers.isEmpty || notifyChannel != nil }
}

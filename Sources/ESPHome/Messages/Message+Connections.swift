public import Bluetooth

/// The connection slots of the proxy: each connected device needs a slot.
public struct Slots: Fields {
    /// The number of free slots.
    public var free: UInt32 = 0
    /// The total number of slots.
    public var limit: UInt32 = 0
    /// The addresses of the connected devices.
    public var allocated: [UInt64] = []

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(free: UInt32, limit: UInt32 = 0, allocated: [UInt64] = []) {
        self.free = free
        self.limit = limit
        self.allocated = allocated
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.number(1, &free)
        try coder.number(2, &limit)
        try coder.list(3, &allocated)
    }
}

/// Asks the proxy to connect, disconnect, pair or unpair a device, or to clear its cached services.
public struct DeviceRequest: Fields {
    /// The address of the device.
    public var address: Address = Address(number: 0)
    /// The kind of request, as the number of a ``Kind``.
    public var request: UInt32 = 0
    /// Whether the type of the address is known, which connecting requires.
    public var hasAddressType: Bool = false
    /// The type of the address: 0 is public, 1 random.
    public var addressType: UInt32 = 0

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(
        address: Address, request: UInt32 = 0, hasAddressType: Bool = false, addressType: UInt32 = 0
    ) {
        self.address = address
        self.request = request
        self.hasAddressType = hasAddressType
        self.addressType = addressType
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.address(1, &address)
        try coder.number(2, &request)
        try coder.flag(3, &hasAddressType)
        try coder.number(4, &addressType)
    }
}

/// The state of a connection.
public struct Connection: Fields {
    /// The address of the device.
    public var address: Address = Address(number: 0)
    /// Whether the device is connected.
    public var isConnected: Bool = false
    /// The ATT MTU in bytes; 0 if unknown.
    public var mtu: UInt32 = 0
    /// A disconnect reason of the HCI, or a GATT status of Bluedroid, the Bluetooth stack of the proxy; 0 for none.
    public var error: Int32 = 0

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(address: Address, isConnected: Bool = false, mtu: UInt32 = 0, error: Int32 = 0) {
        self.address = address
        self.isConnected = isConnected
        self.mtu = mtu
        self.error = error
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.address(1, &address)
        try coder.flag(2, &isConnected)
        try coder.number(3, &mtu)
        try coder.signed(4, &error)
    }
}

/// The result of pairing.
public struct Pairing: Fields {
    /// The address of the device.
    public var address: Address = Address(number: 0)
    /// Whether the proxy has a bond with the device.
    public var isPaired: Bool = false
    /// An error of Bluedroid, the Bluetooth stack of the proxy; 0 for none.
    public var error: Int32 = 0

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(address: Address, isPaired: Bool = false, error: Int32 = 0) {
        self.address = address
        self.isPaired = isPaired
        self.error = error
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.address(1, &address)
        try coder.flag(2, &isPaired)
        try coder.signed(3, &error)
    }
}

/// The result of unpairing a device, or of clearing its cached services.
public struct Outcome: Fields {
    /// The address of the device.
    public var address: Address = Address(number: 0)
    /// Whether the request succeeded.
    public var isSuccessful: Bool = false
    /// The error; 0 for none.
    public var error: Int32 = 0

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(address: Address, isSuccessful: Bool = false, error: Int32 = 0) {
        self.address = address
        self.isSuccessful = isSuccessful
        self.error = error
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.address(1, &address)
        try coder.flag(2, &isSuccessful)
        try coder.signed(3, &error)
    }
}

/// Sets the parameters of a connection.
public struct ConnectionParameters: Fields {
    /// The address of the device.
    public var address: Address = Address(number: 0)
    /// The minimum interval between connection events, in units of 1.25 ms.
    public var minimumInterval: UInt32 = 0
    /// The maximum interval between connection events, in units of 1.25 ms.
    public var maximumInterval: UInt32 = 0
    /// The number of connection events that the device may skip.
    public var latency: UInt32 = 0
    /// The time without a packet after which the connection is lost, in units of 10 ms.
    public var timeout: UInt32 = 0

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(
        address: Address, minimumInterval: UInt32 = 0, maximumInterval: UInt32 = 0, latency: UInt32 = 0,
        timeout: UInt32 = 0
    ) {
        self.address = address
        self.minimumInterval = minimumInterval
        self.maximumInterval = maximumInterval
        self.latency = latency
        self.timeout = timeout
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.address(1, &address)
        try coder.number(2, &minimumInterval)
        try coder.number(3, &maximumInterval)
        try coder.number(4, &latency)
        try coder.number(5, &timeout)
    }
}

/// The answer to ``ConnectionParameters``.
public struct ParametersReply: Fields {
    /// The address of the device.
    public var address: Address = Address(number: 0)
    /// The error; 0 for none.
    public var error: Int32 = 0

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(address: Address, error: Int32 = 0) {
        self.address = address
        self.error = error
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.address(1, &address)
        try coder.signed(2, &error)
    }
}

extension DeviceRequest {
    /// The kinds of ``DeviceRequest``, with their numbers in the protocol.
    public enum Kind: UInt32, Sendable {
        /// Connects. Only old clients send this kind, and proxies refuse it.
        case connectByOldClient
        case disconnect
        case pair
        case unpair
        /// Connects. The proxy uses its cached services and does not discover them again.
        case connectWithCache
        case connectWithoutCache
        case clearCache
    }

    /// Creates a request.
    public init(_ kind: Kind, _ address: Address) { self.init(address: address, request: kind.rawValue) }
}

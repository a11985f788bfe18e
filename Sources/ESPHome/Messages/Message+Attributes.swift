public import Bluetooth

/// A message with only the address of a device, such as a request for the services of the device.
public struct DeviceOnly: Fields {
    /// The address of the device.
    public var address: Address = Address(number: 0)

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(address: Address) {
        self.address = address
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.address(1, &address)
    }
}

/// A message with an attribute (a characteristic or a descriptor) of a device, such as a request to read the attribute.
public struct Attribute: Fields {
    /// The address of the device.
    public var address: Address = Address(number: 0)
    /// The handle of the attribute.
    public var handle: UInt16 = 0

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(address: Address, handle: UInt16 = 0) {
        self.address = address
        self.handle = handle
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.address(1, &address)
        try coder.number(2, &handle)
    }
}

/// The value of an attribute.
public struct AttributeValue: Fields {
    /// The address of the device.
    public var address: Address = Address(number: 0)
    /// The handle of the attribute.
    public var handle: UInt16 = 0
    /// The value.
    public var data: [UInt8] = []

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(address: Address, handle: UInt16 = 0, data: [UInt8] = []) {
        self.address = address
        self.handle = handle
        self.data = data
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.address(1, &address)
        try coder.number(2, &handle)
        try coder.bytes(3, &data, most: 512)
    }
}

/// Writes a characteristic.
public struct GATTWrite: Fields {
    /// The address of the device.
    public var address: Address = Address(number: 0)
    /// The handle of the attribute.
    public var handle: UInt16 = 0
    /// Whether the device acknowledges the write.
    public var withResponse: Bool = false
    /// The value.
    public var data: [UInt8] = []

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(address: Address, handle: UInt16 = 0, withResponse: Bool = false, data: [UInt8] = []) {
        self.address = address
        self.handle = handle
        self.withResponse = withResponse
        self.data = data
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.address(1, &address)
        try coder.number(2, &handle)
        try coder.flag(3, &withResponse)
        try coder.bytes(4, &data, most: 512)
    }
}

/// Makes the proxy start or stop forwarding notifications of a characteristic.
public struct Notify: Fields {
    /// The address of the device.
    public var address: Address = Address(number: 0)
    /// The handle of the attribute.
    public var handle: UInt16 = 0
    /// Whether notifications are forwarded.
    public var isEnabled: Bool = false

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(address: Address, handle: UInt16 = 0, isEnabled: Bool = false) {
        self.address = address
        self.handle = handle
        self.isEnabled = isEnabled
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.address(1, &address)
        try coder.number(2, &handle)
        try coder.flag(3, &isEnabled)
    }
}

/// Reports that an operation on an attribute failed.
public struct GATTFailure: Fields {
    /// The address of the device.
    public var address: Address = Address(number: 0)
    /// The handle of the attribute.
    public var handle: UInt16 = 0
    /// An ATT error code, or -1 without a connection.
    public var error: Int32 = 0

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(address: Address, handle: UInt16 = 0, error: Int32 = 0) {
        self.address = address
        self.handle = handle
        self.error = error
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.address(1, &address)
        try coder.number(2, &handle)
        try coder.signed(3, &error)
    }
}

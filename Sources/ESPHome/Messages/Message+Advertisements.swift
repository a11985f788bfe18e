public import Bluetooth

/// Subscribes to advertisements. In firmware from 2026.7, the newest subscriber replaces the previous subscriber.
public struct Subscribe: Fields {
    /// 1 for advertisements in raw form, the only supported form.
    public var flags: UInt32 = 0

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(flags: UInt32) {
        self.flags = flags
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.number(1, &flags)
    }
}

/// Received advertisements.
public struct RawAdvertisements: Fields {
    /// The advertisements, in the order of their reception.
    public var advertisements: [RawAdvertisement] = []

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(advertisements: [RawAdvertisement]) {
        self.advertisements = advertisements
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.messages(1, &advertisements)
    }
}

/// A received advertisement.
public struct RawAdvertisement: Fields {
    /// The address of the device.
    public var address: Address = Address(number: 0)
    /// The signal strength in dBm.
    public var rssi: Int32 = 0
    /// The type of the address: 0 is public, 1 random, 2 and 3 are resolved addresses.
    public var addressType: UInt32 = 0
    /// The AD structures of the advertisement and of the scan response.
    public var data: [UInt8] = []

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(address: Address, rssi: Int32 = 0, addressType: UInt32 = 0, data: [UInt8] = []) {
        self.address = address
        self.rssi = rssi
        self.addressType = addressType
        self.data = data
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.address(1, &address)
        try coder.zigzag(2, &rssi)
        try coder.number(3, &addressType)
        try coder.bytes(4, &data, most: 62)
    }
}

/// The state of the scanner, sent by firmware from 2025.5; also the answer to a successful subscription.
public struct ScannerState: Fields {
    /// The state: 0 is idle, 1 starting, 2 running, 3 failed, 4 stopping.
    public var state: UInt32 = 0
    /// 0 passive, 1 active.
    public var mode: UInt32 = 0
    /// The mode in the proxy's configuration, with the values of ``mode``.
    public var configuredMode: UInt32 = 0

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(state: UInt32, mode: UInt32 = 0, configuredMode: UInt32 = 0) {
        self.state = state
        self.mode = mode
        self.configuredMode = configuredMode
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.number(1, &state)
        try coder.number(2, &mode)
        try coder.number(3, &configuredMode)
    }
}

/// Sets the mode of the scanner until the next restart of the proxy.
public struct SetScannerMode: Fields {
    /// 0 passive, 1 active.
    public var mode: UInt32 = 0

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(mode: UInt32) {
        self.mode = mode
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.number(1, &mode)
    }
}

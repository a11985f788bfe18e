/// A message without fields.
public struct NoFields: Fields {
    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {}
}

/// The first message of a client.
public struct Hello: Fields {
    /// The name of the client.
    public var client: String = ""
    /// The major version of the API that the client supports.
    public var major: UInt32 = 0
    /// The minor version of the API that the client supports.
    public var minor: UInt32 = 0

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(client: String, major: UInt32 = 0, minor: UInt32 = 0) {
        self.client = client
        self.major = major
        self.minor = minor
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.text(1, &client)
        try coder.number(2, &major)
        try coder.number(3, &minor)
    }
}

/// The answer to the first message of a client.
public struct HelloReply: Fields {
    /// The major version of the API.
    public var major: UInt32 = 0
    /// The minor version of the API.
    public var minor: UInt32 = 0
    /// The version of the firmware.
    public var server: String = ""
    /// The name of the node.
    public var name: String = ""

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(major: UInt32, minor: UInt32 = 0, server: String = "", name: String = "") {
        self.major = major
        self.minor = minor
        self.server = server
        self.name = name
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.number(1, &major)
        try coder.number(2, &minor)
        try coder.text(3, &server)
        try coder.text(4, &name)
    }
}

/// A password.
public struct Authentication: Fields {
    /// The password.
    public var password: String = ""

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(password: String) {
        self.password = password
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.text(1, &password)
    }
}

/// The answer to a password.
public struct AuthenticationReply: Fields {
    /// Whether the password is wrong.
    public var isInvalid: Bool = false

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(isInvalid: Bool) {
        self.isInvalid = isInvalid
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.flag(1, &isInvalid)
    }
}

/// Announces that the sender is about to close the connection.
public struct Disconnect: Fields {
    /// The reason: 1 means that the time for setting a first key has ended.
    public var reason: UInt32 = 0

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(reason: UInt32) {
        self.reason = reason
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.number(1, &reason)
    }
}

/// A new encryption key for the node. The bridge never sends this message.
public struct SetKey: Fields {
    /// The key in base64.
    public var key: String = ""

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(key: String) {
        self.key = key
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.text(1, &key)
    }
}

/// The description of a node.
public struct DeviceInfo: Fields {
    /// The name of the node.
    public var name: String = ""
    /// The MAC address of the node: `AA:BB:CC:DD:EE:FF`.
    public var mac: String = ""
    /// The version of the firmware.
    public var version: String = ""
    /// The time at which the firmware was compiled.
    public var compilationTime: String = ""
    /// The model of the board.
    public var model: String = ""
    /// Whether the node uses deep sleep.
    public var hasDeepSleep: Bool = false
    /// The capabilities of a proxy with an API below 1.9, as a number from 1 to 5 (see ``proxyFeatures``). Newer
    /// proxies send ``features`` instead.
    public var legacyProxyVersion: UInt32 = 0
    /// The manufacturer of the chip.
    public var manufacturer: String = ""
    /// The name for users.
    public var friendlyName: String = ""
    /// The bits of ``ProxyFeatures``.
    public var features: UInt32 = 0
    /// The address of the node's Bluetooth radio; empty if unknown.
    public var bluetoothMAC: String = ""
    /// Whether the firmware supports encryption (the Noise protocol).
    public var supportsEncryption: Bool = false
    /// Whether a first key can be set.
    public var mayBeProvisioned: Bool = false

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(
        name: String, mac: String = "", version: String = "", compilationTime: String = "",
        model: String = "", hasDeepSleep: Bool = false, legacyProxyVersion: UInt32 = 0,
        manufacturer: String = "", friendlyName: String = "", features: UInt32 = 0, bluetoothMAC: String = "",
        supportsEncryption: Bool = false, mayBeProvisioned: Bool = false
    ) {
        self.name = name
        self.mac = mac
        self.version = version
        self.compilationTime = compilationTime
        self.model = model
        self.hasDeepSleep = hasDeepSleep
        self.legacyProxyVersion = legacyProxyVersion
        self.manufacturer = manufacturer
        self.friendlyName = friendlyName
        self.features = features
        self.bluetoothMAC = bluetoothMAC
        self.supportsEncryption = supportsEncryption
        self.mayBeProvisioned = mayBeProvisioned
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.text(2, &name)
        try coder.text(3, &mac)
        try coder.text(4, &version)
        try coder.text(5, &compilationTime)
        try coder.text(6, &model)
        try coder.flag(7, &hasDeepSleep)
        try coder.number(11, &legacyProxyVersion)
        try coder.text(12, &manufacturer)
        try coder.text(13, &friendlyName)
        try coder.number(15, &features)
        try coder.text(18, &bluetoothMAC)
        try coder.flag(19, &supportsEncryption)
        try coder.flag(26, &mayBeProvisioned)
    }
}

/// The capabilities of a node, from API 1.15.
public struct Capabilities: Fields {
    /// The Bluetooth proxy.
    public var proxy: ProxyCapabilities = ProxyCapabilities()

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(proxy: ProxyCapabilities) {
        self.proxy = proxy
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.message(1, &proxy)
    }
}

/// The capabilities of a Bluetooth proxy.
public struct ProxyCapabilities: Fields {
    /// The bits of ``ProxyFeatures``.
    public var features: UInt32 = 0
    /// The address of the proxy's Bluetooth radio.
    public var mac: String = ""

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(features: UInt32, mac: String = "") {
        self.features = features
        self.mac = mac
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.number(1, &features)
        try coder.text(2, &mac)
    }
}

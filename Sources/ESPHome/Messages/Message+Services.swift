public import Bluetooth

/// A part of a device's services. The proxy sends several of these messages in answer to a request for the services.
public struct Services: Fields {
    /// The address of the device.
    public var address: Address = Address(number: 0)
    /// The services.
    public var services: [ServiceEntry] = []

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(address: Address, services: [ServiceEntry] = []) {
        self.address = address
        self.services = services
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.address(1, &address)
        try coder.messages(2, &services)
    }
}

/// A service.
public struct ServiceEntry: Fields {
    /// The long form of the UUID, as its high and its low 64 bits; empty if the short form is used.
    public var uuidHalves: [UInt64] = []
    /// The first handle of the service.
    public var handle: UInt16 = 0
    /// The characteristics of the service.
    public var characteristics: [CharacteristicEntry] = []
    /// The short form of the UUID, 16 or 32 bits; 0 if the long form is used.
    public var shortUUID: UInt32 = 0

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(
        uuidHalves: [UInt64], handle: UInt16 = 0, characteristics: [CharacteristicEntry] = [],
        shortUUID: UInt32 = 0
    ) {
        self.uuidHalves = uuidHalves
        self.handle = handle
        self.characteristics = characteristics
        self.shortUUID = shortUUID
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.list(1, &uuidHalves)
        try coder.number(2, &handle)
        try coder.messages(3, &characteristics)
        try coder.number(4, &shortUUID)
    }
}

/// A characteristic.
public struct CharacteristicEntry: Fields {
    /// The long form of the UUID, as its high and its low 64 bits; empty if the short form is used.
    public var uuidHalves: [UInt64] = []
    /// The handle of the characteristic's value.
    public var handle: UInt16 = 0
    /// The bits of `CharacteristicProperties`.
    public var properties: UInt32 = 0
    /// The descriptors of the characteristic.
    public var descriptors: [DescriptorEntry] = []
    /// The short form of the UUID, 16 or 32 bits; 0 if the long form is used.
    public var shortUUID: UInt32 = 0

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(
        uuidHalves: [UInt64], handle: UInt16 = 0, properties: UInt32 = 0, descriptors: [DescriptorEntry] = [],
        shortUUID: UInt32 = 0
    ) {
        self.uuidHalves = uuidHalves
        self.handle = handle
        self.properties = properties
        self.descriptors = descriptors
        self.shortUUID = shortUUID
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.list(1, &uuidHalves)
        try coder.number(2, &handle)
        try coder.number(3, &properties)
        try coder.messages(4, &descriptors)
        try coder.number(5, &shortUUID)
    }
}

/// A descriptor.
public struct DescriptorEntry: Fields {
    /// The long form of the UUID, as its high and its low 64 bits; empty if the short form is used.
    public var uuidHalves: [UInt64] = []
    /// The handle of the descriptor.
    public var handle: UInt16 = 0
    /// The short form of the UUID, 16 or 32 bits; 0 if the long form is used.
    public var shortUUID: UInt32 = 0

    /// Creates a message in which all fields have their default values.
    public init() {}

    /// Creates a message from the values of its fields.
    public init(uuidHalves: [UInt64], handle: UInt16 = 0, shortUUID: UInt32 = 0) {
        self.uuidHalves = uuidHalves
        self.handle = handle
        self.shortUUID = shortUUID
    }

    /// Encodes or decodes the fields, depending on the coder.
    public mutating func code(_ coder: inout some FieldCoder) throws(MessageError) {
        try coder.list(1, &uuidHalves)
        try coder.number(2, &handle)
        try coder.number(3, &shortUUID)
    }
}

/// A service, a characteristic or a descriptor, whose UUID has one of two forms.
public protocol EntryWithUUID {
    /// The long form of the UUID, as its high and its low 64 bits; empty if the short form is used.
    var uuidHalves: [UInt64] { get set }
    /// The short form of the UUID, 16 or 32 bits; 0 if the long form is used.
    var shortUUID: UInt32 { get set }
}

extension EntryWithUUID {
    /// The UUID; nil if the entry has none.
    public var uuid: UUID? {
        if shortUUID != 0 {
            // A short form replaces the first 32 bits of the base UUID (Core Specification, Vol 3, Part B, 2.5.1).
            let base = UUID(0)
            return UUID(high: UInt64(shortUUID) << 32 | base.high, low: base.low)
        }
        return uuidHalves.count == 2 ? UUID(high: uuidHalves[0], low: uuidHalves[1]) : nil
    }

    /// Sets the UUID.
    ///
    /// - Parameter mayBeShort: Whether the receiver knows short forms, which exist from API 1.12.
    public mutating func setUUID(_ uuid: UUID, mayBeShort: Bool) {
        if mayBeShort, let short = uuid.short {
            (uuidHalves, shortUUID) = ([], UInt32(short))
        } else {
            (uuidHalves, shortUUID) = ([uuid.high, uuid.low], 0)
        }
    }
}

extension ServiceEntry: EntryWithUUID {}
extension CharacteristicEntry: EntryWithUUID {}
extension DescriptorEntry: EntryWithUUID {}

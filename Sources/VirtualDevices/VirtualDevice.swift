public import Bluetooth

/// A simulated device: a GATT server with the behavior of real firmware.
///
/// A virtual device has no clock and performs no I/O: it receives stimuli and returns reactions. The server, which is
/// the BlueZ simulator or a real adapter, carries out the reactions.
public protocol VirtualDevice: Sendable {
    /// The advertisement, while the device advertises.
    var advertisement: VirtualAdvertisement { get }
    /// The GATT table.
    var services: [VirtualService] { get }
    /// Whether the device currently accepts a bond.
    var acceptsPairing: Bool { get }
    /// Handles one stimulus and adds the device's reactions, in order.
    ///
    /// - Parameters:
    ///   - stimulus: The event.
    ///   - now: The time on a monotonic clock.
    ///   - reactions: The array to which reactions are added. Every ``Stimulus/read(_:)`` and
    ///     ``Stimulus/write(_:_:_:)`` is answered by exactly one ``Reaction/value(_:)``, ``Reaction/written`` or
    ///     ``Reaction/refused(_:)``.
    mutating func handle(_ stimulus: Stimulus, at now: Duration, reactions: inout [Reaction])
    /// Whether a client that receives this notification concludes that the device is switched off, and disconnects.
    func saysFarewell(_ value: [UInt8], on characteristic: CharacteristicID) -> Bool
}

extension VirtualDevice {
    /// By default, a device accepts a bond with every host, as most real devices do.
    public var acceptsPairing: Bool { true }

    /// By default, a device disconnects without an announcement, as most real devices do.
    public func saysFarewell(_ value: [UInt8], on characteristic: CharacteristicID) -> Bool { false }
}

/// The advertisement of a virtual device.
public struct VirtualAdvertisement: Hashable, Sendable {
    /// The local name.
    public var name: String
    /// The service UUIDs of advertisement and scan response.
    public var services: [UUID]
    /// The appearance (Assigned Numbers, 2.6); nil for none.
    public var appearance: UInt16?
    /// The manufacturer-specific data by company identifier (Assigned Numbers, 7.1), without the identifier.
    public var manufacturerData: [UInt16: [UInt8]]
    /// The service data by service, without the UUID.
    public var serviceData: [UUID: [UInt8]]

    /// Creates an advertisement.
    public init(
        name: String, services: [UUID], appearance: UInt16? = nil,
        manufacturerData: [UInt16: [UInt8]] = [:], serviceData: [UUID: [UInt8]] = [:]
    ) {
        self.name = name
        self.services = services
        self.appearance = appearance
        self.manufacturerData = manufacturerData
        self.serviceData = serviceData
    }
}

/// A service of a virtual device's GATT table.
public struct VirtualService: Hashable, Sendable {
    /// The UUID of the service.
    public var uuid: UUID
    /// The characteristics of the service, in order.
    public var characteristics: [VirtualCharacteristic]
    /// Whether BlueZ's plugins claim the service, so that clients cannot access it (HID).
    public var isClaimed: Bool

    /// Creates a service.
    public init(_ uuid: UUID, isClaimed: Bool = false, _ characteristics: [VirtualCharacteristic]) {
        self.uuid = uuid
        self.characteristics = characteristics
        self.isClaimed = isClaimed
    }
}

/// A characteristic of a virtual device's GATT table. A notifying characteristic has a client characteristic
/// configuration descriptor and no other descriptors; other characteristics have none.
public struct VirtualCharacteristic: Hashable, Sendable {
    /// The UUIDs of the characteristic and of its service.
    public var id: CharacteristicID
    /// The operations that clients can perform on the characteristic.
    public var properties: CharacteristicProperties
    /// Whether every access requires encryption.
    public var needsEncryption: Bool

    /// Creates a characteristic.
    public init(_ id: CharacteristicID, _ properties: CharacteristicProperties, needsEncryption: Bool = false)
    {
        self.id = id
        self.properties = properties
        self.needsEncryption = needsEncryption
    }
}

/// An event for a virtual device.
public enum Stimulus: Hashable, Sendable {
    /// The device was switched on. This is the first stimulus and occurs once.
    case poweredOn
    /// A client connected, with this ATT MTU in bytes.
    case connected(mtu: Int)
    /// The connection ended.
    case disconnected
    /// The connection is now encrypted, with a bond.
    case bonded
    /// A client reads.
    case read(CharacteristicID)
    /// A client writes, with or without response.
    case write(CharacteristicID, [UInt8], withResponse: Bool)
    /// A client subscribed (`true`) or unsubscribed (`false`).
    case subscribed(CharacteristicID, Bool)
    /// A timer of the device expired.
    case timer(String)
    /// A user acts on the device: the words of a live line after the device's name, such as `["press", "home",
    /// "long"]`.
    case act([String])
}

/// A reaction of a virtual device.
public enum Reaction: Hashable, Sendable {
    /// The answer to a read.
    case value([UInt8])
    /// The answer to an accepted write.
    case written
    /// The answer to a rejected read or write: an ATT error code (Core Specification, Vol 3, Part F, 3.4.1.1).
    case refused(UInt8)
    /// A notification, for subscribed clients only.
    case notify(CharacteristicID, [UInt8])
    /// Disconnects from the device's side.
    case disconnect
    /// Starts or stops advertising (while not connected).
    case advertise(Bool)
    /// Starts or restarts a timer.
    case startTimer(String, after: Duration)
    /// Stops a timer.
    case cancelTimer(String)
    /// Reports something to whoever observes the simulation, such as a running motor.
    case report(DeviceReport)
    /// The words of an action were invalid. The text describes the allowed words.
    case misunderstood(String)
}

/// An effect of a device that users can feel or see.
public enum DeviceReport: Hashable, Sendable {
    /// The vibrating motors with their intensities; empty for silence.
    case feel([MotorIntensity])
    /// The signed values of the wheels: left front, right front, left rear, right rear.
    case wheels(Int, Int, Int, Int)
    /// Whether the single vibration motor runs.
    case vibrate(Bool)
    /// Another event: its name, and details as text by key.
    case other(event: String, [String: String])

    /// The intensity of one of several motors.
    public struct MotorIntensity: Hashable, Sendable {
        /// The index of the motor.
        public var motor: Int
        /// The intensity in percent.
        public var intensity: Int
        /// Creates an entry.
        public init(motor: Int, intensity: Int) {
            self.motor = motor
            self.intensity = intensity
        }
    }
}

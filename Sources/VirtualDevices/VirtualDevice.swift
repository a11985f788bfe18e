public import Bluetooth

/// A device that exists only in software: a GATT server with the behaviour of its firmware.
///
/// Pure like the families: it takes stimuli and returns reactions, and the server (the look-alike of
/// BlueZ, or a real adapter) carries them out.
public protocol VirtualDevice: Sendable {
    /// What it advertises while it does.
    var advertisement: VirtualAdvertisement { get }
    /// Its GATT table.
    var services: [VirtualService] { get }
    /// Whether it lets a client bond at this moment.
    var acceptsPairing: Bool { get }
    /// Takes one stimulus and says how the device reacts, in order.
    ///
    /// - Parameters:
    ///   - stimulus: What happens to the device.
    ///   - now: When, on a monotonic clock.
    ///   - reactions: Where to add the reactions. Every ``Stimulus/read(_:)`` and ``Stimulus/write(_:_:_:)`` is
    ///     answered by exactly one ``Reaction/value(_:)``, ``Reaction/written`` or ``Reaction/refused(_:)``.
    mutating func handle(_ stimulus: Stimulus, at now: Duration, reactions: inout [Reaction])
    /// Whether a client that is notified the value takes it that the device is switched off, and closes the link.
    func saysFarewell(_ value: [UInt8], on characteristic: CharacteristicID) -> Bool
}

extension VirtualDevice {
    /// Most devices bond with every host that asks.
    public var acceptsPairing: Bool { true }

    /// Most devices just go.
    public func saysFarewell(_ value: [UInt8], on characteristic: CharacteristicID) -> Bool { false }
}

/// What a virtual device advertises.
public struct VirtualAdvertisement: Hashable, Sendable {
    /// The local name.
    public var name: String
    /// The service UUIDs of advertisement and scan response.
    public var services: [UUID]
    /// The appearance (Assigned Numbers, 2.6), if it says one.
    public var appearance: UInt16?
    /// What it says under a company's number (Assigned Numbers, 7.1), without that number.
    public var manufacturerData: [UInt16: [UInt8]]

    /// Makes an advertisement.
    public init(
        name: String, services: [UUID], appearance: UInt16? = nil, manufacturerData: [UInt16: [UInt8]] = [:]
    ) {
        self.name = name
        self.services = services
        self.appearance = appearance
        self.manufacturerData = manufacturerData
    }
}

/// A service of a virtual device's GATT table.
public struct VirtualService: Hashable, Sendable {
    /// The service's UUID.
    public var uuid: UUID
    /// Its characteristics, in order.
    public var characteristics: [VirtualCharacteristic]
    /// Whether BlueZ's own plugins claim it, so that clients do not see it (HID).
    public var isClaimed: Bool

    /// Makes a service.
    public init(_ uuid: UUID, isClaimed: Bool = false, _ characteristics: [VirtualCharacteristic]) {
        self.uuid = uuid
        self.characteristics = characteristics
        self.isClaimed = isClaimed
    }
}

/// A characteristic of a virtual device's GATT table. Notifying ones have a client characteristic
/// configuration descriptor and no other; the others have none.
public struct VirtualCharacteristic: Hashable, Sendable {
    /// The characteristic and its service.
    public var id: CharacteristicID
    /// What it can do.
    public var properties: CharacteristicProperties
    /// Whether every access needs an encrypted link.
    public var needsEncryption: Bool

    /// Makes a characteristic.
    public init(_ id: CharacteristicID, _ properties: CharacteristicProperties, needsEncryption: Bool = false)
    {
        self.id = id
        self.properties = properties
        self.needsEncryption = needsEncryption
    }
}

/// What happens to a virtual device.
public enum Stimulus: Hashable, Sendable {
    /// It was switched on; once, first.
    case poweredOn
    /// A client connected; the ATT MTU in bytes.
    case connected(mtu: Int)
    /// The link is gone.
    case disconnected
    /// The link is encrypted now, with a bond.
    case bonded
    /// A client reads.
    case read(CharacteristicID)
    /// A client writes, with or without response.
    case write(CharacteristicID, [UInt8], withResponse: Bool)
    /// A client wants notifications, or no more.
    case subscribed(CharacteristicID, Bool)
    /// A timer that the device started has run out.
    case timer(String)
    /// A user acts on it: the words of a live line behind the device's name, such as
    /// `["press", "home", "long"]`.
    case act([String])
}

/// How a virtual device reacts.
public enum Reaction: Hashable, Sendable {
    /// The answer to a read.
    case value([UInt8])
    /// The answer to a write that is accepted.
    case written
    /// The answer to a read or write that is not: an ATT error code (Core Specification, Vol 3, Part F,
    /// 3.4.1.1).
    case refused(UInt8)
    /// Notify a value, if the client subscribed.
    case notify(CharacteristicID, [UInt8])
    /// Close the link from the device's side.
    case disconnect
    /// Begin or cease to advertise (while not connected).
    case advertise(Bool)
    /// Start a timer, or move it.
    case startTimer(String, after: Duration)
    /// Stop a timer.
    case cancelTimer(String)
    /// Tell the one who watches what the device does.
    case report(DeviceReport)
    /// The words of an act were not understood; says what would be.
    case misunderstood(String)
}

/// What a virtual device does that a person would feel or see.
public enum DeviceReport: Hashable, Sendable {
    /// Motors vibrate (percent by motor); none is silence.
    case feel([MotorIntensity])
    /// The signed values of the wheels: left front, right front, left rear, right rear.
    case wheels(Int, Int, Int, Int)
    /// The single vibration motor runs or not.
    case vibrate(Bool)
    /// Anything else worth a line: a word, and details as text by key.
    case other(event: String, [String: String])

    /// One motor of many.
    public struct MotorIntensity: Hashable, Sendable {
        /// Its index.
        public var motor: Int
        /// Its strength in percent.
        public var intensity: Int
        /// Makes an entry.
        public init(motor: Int, intensity: Int) {
            self.motor = motor
            self.intensity = intensity
        }
    }
}

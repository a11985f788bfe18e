public import Bluetooth
import DeviceFiles

/// Says which virtual devices there are, what they do by themselves, and what goes wrong with them.
public struct Scenario: Hashable, Sendable {
    /// Where the random numbers begin.
    public var seed: UInt64
    /// The devices, in the order in which they are written.
    public var devices: [Device]
    /// How a look-alike's radio behaves.
    public var radio: Radio
    /// The hosts around the devices; none if there is one look-alike only.
    public var hosts: [Host] = []

    /// Makes a scenario.
    public init(seed: UInt64 = 1, devices: [Device], radio: Radio = Radio()) {
        self.seed = seed
        self.devices = devices
        self.radio = radio
    }

    /// One device of each family, each at rest, named as its family.
    public static let standard = Self(devices: [
        Device(name: "belt", model: .belt(.init()), address: "C0:FF:EE:00:BE:01"),
        Device(name: "tap", model: .tap(.init()), address: "C0:FF:EE:00:BE:02"),
        Device(
            name: "robot", model: .robot(.init()), address: "C0:FF:EE:00:B0:01", hasRandomAddress: false),
    ])

    /// One device of a scenario.
    public struct Device: Hashable, Sendable {
        /// Its name, by which live lines and reports call it.
        public var name: String
        /// What it is, with the choices that its makers' documents leave open.
        public var model: Model
        /// Its address, where the server can choose one.
        public var address: Address
        /// Whether its address is a random one.
        public var hasRandomAddress: Bool
        /// The signal strength at which it is heard, in dBm.
        public var rssi: Int
        /// The ATT MTU that it agrees to, in bytes.
        public var mtu: Int
        /// Whether the first adapter of a look-alike has a bond with it from the start. Where it is a keyboard, too,
        /// the system then connects it by itself.
        public var isBonded: Bool
        /// The service UUIDs that it advertises besides its own: what it is beyond a device of its kind.
        public var alsoAdvertises: [UUID] = []
        /// The UUIDs of services that are found on it besides its own.
        public var alsoHas: [UUID] = []
        /// How many hosts it lets hold it at a time.
        public var centrals = 1
        /// What it does by itself.
        public var steps: [Step]
        /// What goes wrong with it.
        public var faults: [Fault]

        /// Makes a device that does nothing by itself.
        public init(
            name: String, model: Model, address: Address, hasRandomAddress: Bool = true, rssi: Int = -52,
            mtu: Int = 247, isBonded: Bool = false, steps: [Step] = [], faults: [Fault] = []
        ) {
            self.name = name
            self.model = model
            self.address = address
            self.hasRandomAddress = hasRandomAddress
            self.rssi = rssi
            self.mtu = mtu
            self.isBonded = isBonded
            self.steps = steps
            self.faults = faults
        }
    }

    /// The kinds of device that can be simulated.
    public enum Model: Hashable, Sendable {
        /// A feelSpace naviBelt.
        case belt(VirtualBelt.Choices)
        /// A Tap Strap, Tap Strap 2 or TapXR.
        case tap(VirtualTap.Choices)
        /// A mecanum battle robot.
        case robot(VirtualRobot.Choices)
        /// What a device file describes.
        case file(VirtualFileDevice.Choices)
        /// What a recording has.
        case replay(RecordedDevice)

        /// Every word for a kind.
        static let kinds = ["belt", "tap", "robot", "file"]

        /// The family's word, as live lines and scenario files write it.
        public var kind: String {
            switch self {
            case .belt: "belt"
            case .tap: "tap"
            case .robot: "robot"
            case .file(let choices): choices.file.family
            case .replay(let device): device.family
            }
        }

        /// Whether such devices have a random address, as far as nothing else is said.
        var hasRandomAddress: Bool {
            switch self {
            case .belt, .tap, .file, .replay: true
            case .robot: false
            }
        }

        func make(seed: UInt64) -> any VirtualDevice {
            switch self {
            case .belt(let choices): VirtualBelt(choices)
            case .tap(let choices): VirtualTap(choices, seed: seed)
            case .robot(let choices): VirtualRobot(choices)
            case .file(let choices): VirtualFileDevice(choices)
            case .replay(let device): VirtualReplay(device)
            }
        }
    }

    /// Something that a device does by itself.
    public struct Step: Hashable, Sendable {
        /// When it does it first, after the start.
        public var after: Duration
        /// After how long it does it again; nil for once.
        public var every: Duration?
        /// How often in all; nil for as long as it runs.
        public var times: Int?
        /// What it does: the words of a live line without the device's name.
        public var act: [String]

        /// Makes a step.
        public init(after: Duration, every: Duration? = nil, times: Int? = nil, act: [String]) {
            self.after = after
            self.every = every
            self.times = times
            self.act = act
        }
    }
}

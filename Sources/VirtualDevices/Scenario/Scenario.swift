public import Bluetooth
import DeviceFiles

/// A set of virtual devices with their automatic actions and their faults.
public struct Scenario: Hashable, Sendable {
    /// The seed of all random numbers. Runs with the same seed are identical.
    public var seed: UInt64
    /// The devices, in the order of the file.
    public var devices: [Device]
    /// How a simulated radio and its daemon behave.
    public var radio: Radio
    /// The hosts near the devices; empty if there is only one simulated Bluetooth service.
    public var hosts: [Host] = []

    /// Creates a scenario.
    public init(seed: UInt64 = 1, devices: [Device], radio: Radio = Radio()) {
        self.seed = seed
        self.devices = devices
        self.radio = radio
    }

    /// One idle device of each family, with the family's name.
    public static let standard = Self(devices: [
        Device(name: "belt", model: .belt(.init()), address: "C0:FF:EE:00:BE:01"),
        Device(name: "tap", model: .tap(.init()), address: "C0:FF:EE:00:BE:02"),
        Device(
            name: "robot", model: .robot(.init()), address: "C0:FF:EE:00:B0:01", hasRandomAddress: false),
    ])

    /// One device of a scenario.
    public struct Device: Hashable, Sendable {
        /// The name in live lines and reports.
        public var name: String
        /// The kind of device, with the choices that the manufacturer's documents leave open.
        public var model: Model
        /// The Bluetooth address. If a real adapter serves the device, the adapter's own address is used instead.
        public var address: Address
        /// Whether the address is random.
        public var hasRandomAddress: Bool
        /// The signal strength of the device's advertisements, in dBm.
        public var rssi: Int
        /// The maximum ATT MTU that the device accepts, in bytes.
        public var mtu: Int
        /// Whether the first adapter of a simulated service has a bond with the device from the start. If the device is
        /// also a keyboard, the system connects it automatically.
        public var isBonded: Bool
        /// The UUIDs of other services that the device advertises, beyond those of its kind.
        public var alsoAdvertises: [UUID] = []
        /// The UUIDs of other services in the device's GATT table, beyond those of its kind.
        public var alsoHas: [UUID] = []
        /// The maximum number of simultaneous connections.
        public var centrals = 1
        /// The device's automatic actions.
        public var steps: [Step]
        /// The faults of the device's answers.
        public var faults: [Fault]

        /// Creates a device without automatic actions.
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

    /// The kinds of devices that can be simulated.
    public enum Model: Hashable, Sendable {
        /// A feelSpace naviBelt.
        case belt(VirtualBelt.Choices)
        /// A Tap Strap, Tap Strap 2 or TapXR.
        case tap(VirtualTap.Choices)
        /// A mecanum battle robot.
        case robot(VirtualRobot.Choices)
        /// A device that is described by a device file.
        case file(VirtualFileDevice.Choices)
        /// A device that replays a recording of the bridge.
        case replay(RecordedDevice)

        /// The names of the kinds of devices that a scenario file can contain.
        static let kinds = ["belt", "tap", "robot", "file"]

        /// The name of the kind in live lines and scenario files.
        public var kind: String {
            switch self {
            case .belt: "belt"
            case .tap: "tap"
            case .robot: "robot"
            case .file(let choices): choices.file.family
            case .replay(let device): device.family
            }
        }

        /// Whether devices of this kind have a random address by default.
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

    /// An automatic action of a device.
    public struct Step: Hashable, Sendable {
        /// When the action is carried out first, relative to the start of the simulation.
        public var after: Duration
        /// The interval of repetitions; nil for a single action.
        public var every: Duration?
        /// The total number of actions; nil for no limit.
        public var times: Int?
        /// The action: the words of a live line without the device's name.
        public var act: [String]

        /// Creates a step.
        public init(after: Duration, every: Duration? = nil, times: Int? = nil, act: [String]) {
            self.after = after
            self.every = every
            self.times = times
            self.act = act
        }
    }
}

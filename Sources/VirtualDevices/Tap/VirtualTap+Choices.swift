public import Bluetooth

extension VirtualTap {
    /// The product, and properties that docs/protocols/tap.md leaves open or that differ between TAPs.
    public struct Choices: Hashable, Sendable {
        /// Which TAP is simulated.
        public var model: Model = .strap2
        /// The hardware revision; nil for the default revision of the product.
        public var hardware: String?
        /// The firmware revision; nil for a revision that supports every feature of the product.
        public var firmware: String?
        /// The revision of the bootloader.
        public var bootloader = "012"
        /// The serial number; nil for a number derived from the scenario's seed.
        public var serial: String?
        /// The version of a TapXR's vision model.
        public var modelVersion = "42"
        /// The firmware of a TapXR's co-processor.
        public var coprocessor = "1.0.0"
        /// The name that the user chose.
        public var name = "Tap_SIM"
        /// The maximum length of a name, in bytes.
        public var longestName = 32
        /// Whether a new name is advertised immediately, or only after the device was switched off.
        public var advertisesNewName = true

        /// Whether the device is a keyboard and a mouse for the operating system.
        public var hasInputService = true
        /// Whether the device advertises the service of its keyboard.
        public var advertisesInput = true
        /// Whether hosts receive the scan response, which contains the TAP service.
        public var advertisesTap = true
        /// The advertised appearance; nil for none.
        public var appearance: UInt16?
        /// Which characteristics require an encrypted connection.
        public var encryption: Encryption = .all
        /// When the device accepts a bond.
        public var pairing: Pairing = .anytime
        /// Whether mode commands can be written with response, without response, or both.
        public var commandWrites: CommandWrites = .both
        /// The characteristics of the product that this device lacks.
        public var missing: Set<UUID> = []

        /// The time without a mode command after which the device returns to keyboard mode; nil for no limit.
        public var modeTimeout: Duration? = .seconds(20)
        /// Whether the input mode and the XR state are kept across connections.
        public var keepsMode = false
        /// How long the firmware stores a mode command before it executes the command; nil for immediate execution. The
        /// next command replaces a command that is still stored.
        public var commandSlot: Duration?
        /// The ATT error code with which the device rejects unknown commands; nil if it accepts and ignores them.
        public var rejection: UInt8?
        /// What the device does with a command for raw mode that contains no sensitivities.
        public var shortRaw: Uncertain = .applied
        /// What the device does if a command changes the sensitivities while it is in raw mode.
        public var sensitivityChange: Uncertain = .applied
        /// Whether taps, mouse motion and gestures are also notified in raw mode.
        public var sendsEventsInRaw = false
        /// Whether gestures are also notified in text mode.
        public var sendsGesturesInText = false
        /// Whether a TapXR notifies the air-mouse state when the XR state changes it.
        public var announcesXRState = true

        /// The length of a tap notification, in bytes.
        public var tapLength = 4
        /// Whether bytes 1 and 2 of a tap notification contain the milliseconds since the previous tap; otherwise they
        /// are zero.
        public var sendsTapInterval = false
        /// Whether mouse notifications contain roll, pitch and yaw.
        public var sendsAngles = false
        /// The value of bytes 5 to 8 of a mouse notification, unless the live line contains a value (`dt`).
        public var mouseTime: UInt32 = 0
        /// How often a TapXR notifies the state of the hand: the interval between two notifications.
        public var handPeriod: Duration = .milliseconds(100)
        /// Whether the device supports the older command for a single vibration pulse.
        public var playsSinglePulse = false

        /// Whether the device supports the framed protocol.
        public var framed: Framed = .off
        /// The time without a keep-alive after which all sensing stops; nil for no limit.
        public var keepAliveTimeout: Duration? = .seconds(20)
        /// Whether the device answers queries of the framed protocol.
        public var answersQuestions = true
        /// Whether the device notifies the changes that commands of the framed protocol cause.
        public var announcesSettings = false
        /// Whether the device notifies neither taps nor gestures in standby.
        public var isSilentInStandby = true
        /// Whether the device types on the host while it notifies taps by the framed protocol.
        public var typesBesideFrames = false

        /// The sampling rate of a strap's fingers in raw mode, in hertz.
        public var fingerRate = 200.0
        /// The sampling rate of the thumb's or the band's motion in raw mode, in hertz.
        public var motionRate = 208.0
        /// The interval between two raw notifications. Each contains all samples since the previous one.
        public var rawPeriod: Duration = .milliseconds(20)
        /// Whether all, some or none of the raw frames end with zeros.
        public var rawPadding: Padding = .padded
        /// The number of zero bytes at the end of a frame.
        public var paddingCount = 4
        /// Whether a frame can contain both fingers and motion.
        public var mixesMessages = true
        /// The device's clock at power-on, in milliseconds.
        public var clockStart: UInt32 = 1

        /// The initial value of the settings characteristic. Developer mode is on; the meaning of the other bits is
        /// unknown.
        public var settings: [UInt8] = [0, 0, 0, 0x40] + Array(repeating: 0, count: 16)

        /// The initial battery level, in percent.
        public var batteryLevel = 87.0
        /// The battery's loss per minute, in percent.
        public var batteryDrain = 0.0
        /// Whether changes of the battery level are notified.
        public var notifiesBattery = true

        /// Creates a Tap Strap 2 with the default choices.
        public init() {}

        /// Creates a product with the default choices.
        public init(_ model: Model) { self.model = model }

        var effectiveHardware: String { hardware ?? model.hardware }
        var effectiveFirmware: String { firmware ?? model.firmware }
    }
}

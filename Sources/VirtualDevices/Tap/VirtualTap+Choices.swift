public import Bluetooth

extension VirtualTap {
    /// Which TAP it is, and what docs/protocols/tap.md does not know or what differs between TAPs.
    public struct Choices: Hashable, Sendable {
        /// Which product it is.
        public var model: Model = .strap2
        /// The hardware revision; nil for one of the product.
        public var hardware: String?
        /// The firmware revision; nil for one that knows every feature of the product.
        public var firmware: String?
        /// The revision of the bootloader.
        public var bootloader = "012"
        /// The serial number; nil for one that comes from the scenario's seed.
        public var serial: String?
        /// The version of a TapXR's vision model.
        public var modelVersion = "42"
        /// The firmware of a TapXR's co-processor.
        public var coprocessor = "1.0.0"
        /// The name that its user gave it.
        public var name = "Tap_SIM"
        /// The most bytes of a name that it takes.
        public var longestName = 32
        /// Whether it advertises a new name at once, or only after it was switched off.
        public var advertisesNewName = true

        /// Whether it has a keyboard and mouse for the operating system.
        public var hasInputService = true
        /// Whether it advertises the keyboard.
        public var advertisesInput = true
        /// Whether the scan response with the TAP's own service is heard.
        public var advertisesTap = true
        /// The appearance that it advertises, if it does.
        public var appearance: UInt16?
        /// Which characteristics need an encrypted link.
        public var encryption: Encryption = .all
        /// When it bonds.
        public var pairing: Pairing = .anytime
        /// How commands of mode can be written.
        public var commandWrites: CommandWrites = .both
        /// The characteristics that it lacks.
        public var missing: Set<UUID> = []

        /// After what time without a command of mode it is a keyboard again; nil for never.
        public var modeTimeout: Duration? = .seconds(20)
        /// Whether mode and XR state outlive the link.
        public var keepsMode = false
        /// How long a command lies in the firmware's slot, where the next one replaces it; nil for no time.
        public var commandSlot: Duration?
        /// What it answers to commands that it does not know: an ATT error code; nil for nothing.
        public var rejection: UInt8?
        /// What a raw command without sensitivities does.
        public var shortRaw: Uncertain = .applied
        /// What other sensitivities within raw mode do.
        public var sensitivityChange: Uncertain = .applied
        /// Whether taps, mouse and gestures are notified in raw mode, too.
        public var sendsEventsInRaw = false
        /// Whether gestures are notified in text mode, too.
        public var sendsGesturesInText = false
        /// Whether a TapXR announces the air-mouse state when the XR state changes it.
        public var announcesXRState = true

        /// The length of a tap notification.
        public var tapLength = 4
        /// Whether its bytes 1 and 2 are the milliseconds since the tap before, or zero.
        public var sendsTapInterval = false
        /// Whether mouse notifications carry roll, pitch and yaw.
        public var sendsAngles = false
        /// The bytes 5 to 8 of a mouse notification, if the live line does not say them.
        public var mouseTime: UInt32 = 0
        /// The time between two hand states of a TapXR.
        public var handPeriod: Duration = .milliseconds(100)
        /// Whether the older single pulse is played.
        public var playsSinglePulse = false

        /// Whether it speaks the framed protocol.
        public var framed: Framed = .off
        /// After what time without a keep-alive it senses nothing any more; nil for never.
        public var keepAliveTimeout: Duration? = .seconds(20)
        /// Whether it answers the questions of the framed protocol.
        public var answersQuestions = true
        /// Whether it says by itself what a command of the framed protocol changed.
        public var announcesSettings = false
        /// Whether it tells neither taps nor gestures in standby.
        public var isSilentInStandby = true
        /// Whether it types while it tells taps by the framed protocol.
        public var typesBesideFrames = false

        /// How many times a second a strap samples its fingers in raw mode.
        public var fingerRate = 200.0
        /// How many times a second the thumb's or the band's motion is sampled in raw mode.
        public var motionRate = 208.0
        /// The time between two raw notifications; each carries what was sampled since.
        public var rawPeriod: Duration = .milliseconds(20)
        /// Whether zeros end a raw frame.
        public var rawPadding: Padding = .padded
        /// How many zeros.
        public var paddingCount = 4
        /// Whether fingers and motion share a frame.
        public var mixesMessages = true
        /// The device's clock when it is switched on, in milliseconds.
        public var clockStart: UInt32 = 1

        /// The value of the settings: developer mode on, the rest is unknown.
        public var settings: [UInt8] = [0, 0, 0, 0x40] + Array(repeating: 0, count: 16)

        /// The charge at first, in percent.
        public var batteryLevel = 87.0
        /// How many percent the battery loses in a minute.
        public var batteryDrain = 0.0
        /// Whether the battery level is notified when it changes.
        public var notifiesBattery = true

        /// Makes a Tap Strap 2 with the default choices.
        public init() {}

        /// Makes a TAP of a product with the default choices.
        public init(_ model: Model) { self.model = model }

        var effectiveHardware: String { hardware ?? model.hardware }
        var effectiveFirmware: String { firmware ?? model.firmware }
    }
}

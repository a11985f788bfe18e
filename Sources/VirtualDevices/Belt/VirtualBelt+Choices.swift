extension VirtualBelt {
    /// Undocumented properties of belts, and properties that differ between belts.
    public struct Choices: Hashable, Sendable {
        /// The start of every belt's name.
        public static let namePrefix = "naviGuertel"
        /// What follows ``namePrefix`` in the name of a new belt.
        public var nameSuffix = "-sim"
        /// The value of the firmware information: version (little-endian), variant and optional further bytes.
        public var firmware: [UInt8] = [0x34, 0x00, 0x00]
        /// Whether clients need a bond, and when the belt accepts one.
        public var pairing: Pairing = .off
        /// Whether writable characteristics also have the property write-without-response.
        public var offersWriteWithoutResponse = false

        /// The interval between two keep-alives.
        public var keepAlivePeriod: Duration = .seconds(2)
        /// The first byte of a keep-alive.
        public var keepAliveByte: UInt8 = 0x01
        /// The number of unanswered keep-alives after which the belt disconnects; nil for no limit.
        public var missedReplies: Int?

        /// The press types of a button notification: short, double, long.
        public var pressCodes: [UInt8] = [1, 2, 3]
        /// The third byte of a button notification.
        public var buttonByte: UInt8 = 0
        /// Whether a short press on the power button is notified to the client.
        public var notifiesPowerPress = true
        /// Whether a press on the compass button in pause mode is notified to the client.
        public var notifiesCompassInPause = false
        /// Whether the belt notifies the mode parameter too after a button changed the mode.
        public var repeatsModeOfButton = false
        /// By how much a button press in pause mode changes the intensity, in percent.
        public var intensityStep = 10

        /// The default intensity of a new belt, in percent.
        public var intensity = 50
        /// The factory angle between control box and front, in degrees.
        public var headingOffset = 45
        /// The factory setting of the inaccurate-orientation signal: bit 0 compass, bit 1 app.
        public var accuracySignal: UInt8 = 3
        /// The factory interval between two orientation packets.
        public var orientationPeriod: Duration = .milliseconds(500)
        /// The initial direction of the wearer, in degrees from magnetic north.
        public var heading = 0

        /// What the belt does when a client requests a mode that the belt rejects.
        public var refusedMode: RefusedMode = .unchanged
        /// What the belt does when it rejects a vibration command.
        public var rejection: Rejection = .ignored
        /// Whether the belt keeps the vibrations of its channels when it leaves or pauses app mode, and continues them
        /// when it returns to app mode.
        public var channelsSurvive = false
        /// Whether channel 0 and the system signals vibrate in pause mode as in other modes. Otherwise, nothing
        /// vibrates in pause mode, and the belt rejects vibration commands.
        public var vibratesInPause = true
        /// On which channel the belt plays its system signals.
        public var systemSignals: SignalPlace = .own
        /// The number of channels.
        public var channelCount = 6
        /// The maximum number of motors that run at the same time. Channels with lower numbers have priority.
        public var motorLimit = 6
        /// The shape of each vibration pattern, by the pattern's number.
        public var patterns: [UInt8: Pattern] = Pattern.plausible
        /// The intensity of the system's warning signal, in percent.
        public var warningIntensity = 25
        /// The interval between two of the vibration signals that the belt plays in wait mode; nil for no signals.
        public var waitSignalPeriod: Duration? = .seconds(10)
        /// The interval between two warnings of an inaccurate compass.
        public var inaccuracySignalPeriod: Duration = .seconds(4)

        /// The interval between two battery notifications.
        public var batteryPeriod: Duration = .seconds(5)
        /// The initial battery level, in percent.
        public var batteryLevel = 80.0
        /// The battery's loss per minute, or its gain while charging, in percent.
        public var batteryDrain = 0.0
        /// Whether battery packets contain the optional fields after the voltage.
        public var sendsBatteryExtras = false

        /// How long after it notified standby the belt disconnects.
        public var standbyDelay: Duration = .milliseconds(100)
        /// How long a calibration lasts.
        public var calibrationTime: Duration = .seconds(20)
        /// Whether clients can read the sensors' calibration.
        public var tellsCalibration = true
        /// The interval between two packets of raw sensor data.
        public var rawPeriod: Duration = .milliseconds(50)

        /// Creates the default choices.
        public init() {}

        /// How the belt treats clients without a bond.
        public enum Pairing: String, Hashable, Sendable, CaseIterable {
            /// The belt serves every client and accepts every bond.
            case off
            /// The belt serves bonded clients only and accepts every bond.
            case anytime
            /// The belt serves bonded clients only and accepts bonds while it is in pairing mode.
            case mode
        }

        /// What the belt does when a client requests a mode that the belt rejects.
        public enum RefusedMode: String, Hashable, Sendable, CaseIterable {
            /// The belt notifies its current mode.
            case unchanged
            /// The belt does not answer.
            case silent
        }

        /// On which channel the belt plays its system signals.
        public enum SignalPlace: String, Hashable, Sendable, CaseIterable {
            /// A separate channel: no command ends the signals.
            case own
            /// Channel 0: a new vibration on this channel ends the signals.
            case channel0 = "channel_0"
        }

        /// What the belt does when it rejects a command.
        public enum Rejection: Hashable, Sendable {
            /// The write succeeds without effect.
            case ignored
            /// The write fails with this ATT error code.
            case error(UInt8)
        }
    }
}

extension VirtualBelt {
    /// Undocumented properties of belts, and properties that differ between belts.
    public struct Choices: Hashable, Sendable {
        /// The start of every belt's name.
        public static let namePrefix = "naviGuertel"
        /// The rest of the factory name.
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
        /// Whether a short press on the power button is notified.
        public var notifiesPowerPress = true
        /// Whether a press on the compass button is notified in pause mode.
        public var notifiesCompassInPause = false
        /// Whether a mode change by a button is also notified as a parameter.
        public var repeatsModeOfButton = false
        /// The change of the intensity per press in pause mode, in percent.
        public var intensityStep = 10

        /// The factory intensity, in percent.
        public var intensity = 50
        /// The factory angle between control box and front, in degrees.
        public var headingOffset = 45
        /// The factory setting of the inaccurate-orientation signal: bit 0 compass, bit 1 app.
        public var accuracySignal: UInt8 = 3
        /// The factory interval between two orientation packets.
        public var orientationPeriod: Duration = .milliseconds(500)
        /// The initial direction of the wearer, in degrees from magnetic north.
        public var heading = 0

        /// The answer to a request for a mode that the belt rejects.
        public var refusedMode: RefusedMode = .unchanged
        /// The answer to a command that the belt rejects.
        public var rejection: Rejection = .ignored
        /// Whether the belt keeps the vibrations of its channels when it leaves or pauses app mode, and continues them
        /// when it returns to app mode.
        public var channelsSurvive = false
        /// Whether channel 0 and the system signals vibrate in pause mode as in other modes. Otherwise, nothing
        /// vibrates in pause mode, and the belt rejects vibration commands.
        public var vibratesInPause = true
        /// The channel of the system signals.
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

        /// The delay between the notification of standby and the disconnect.
        public var standbyDelay: Duration = .milliseconds(100)
        /// The duration of a calibration.
        public var calibrationTime: Duration = .seconds(20)
        /// Whether clients can read the sensors' calibration.
        public var tellsCalibration = true
        /// The interval between two packets of raw sensor data.
        public var rawPeriod: Duration = .milliseconds(50)

        /// Creates the default choices.
        public init() {}

        /// The belt's handling of clients without a bond.
        public enum Pairing: String, Hashable, Sendable, CaseIterable {
            /// The belt serves every client and accepts every bond.
            case off
            /// The belt serves bonded clients only and accepts every bond.
            case anytime
            /// The belt serves bonded clients only and accepts bonds while it is in pairing mode.
            case mode
        }

        /// The answer to a request for a mode that the belt rejects.
        public enum RefusedMode: String, Hashable, Sendable, CaseIterable {
            /// A notification of the current mode.
            case unchanged
            /// No answer.
            case silent
        }

        /// The channel on which the belt plays its system signals.
        public enum SignalPlace: String, Hashable, Sendable, CaseIterable {
            /// A separate channel: no command ends the signals.
            case own
            /// Channel 0: a new vibration on this channel ends the signals.
            case channel0 = "channel_0"
        }

        /// The answer to a command that the belt rejects.
        public enum Rejection: Hashable, Sendable {
            /// The write succeeds without effect.
            case ignored
            /// The write fails with this ATT error code.
            case error(UInt8)
        }
    }
}

extension VirtualBelt {
    /// What only the makers know of a belt, or what differs between belts.
    public struct Choices: Hashable, Sendable {
        /// What every belt's name begins with.
        public static let namePrefix = "naviGuertel"
        /// What follows in the name when it leaves the factory.
        public var nameSuffix = "-sim"
        /// The value of the firmware information: version (little-endian), variant, and whatever follows.
        public var firmware: [UInt8] = [0x34, 0x00, 0x00]
        /// Whether a client must bond, and when the belt lets it.
        public var pairing: Pairing = .off
        /// Whether writable characteristics also offer the property write-without-response.
        public var offersWriteWithoutResponse = false

        /// The time between two keep-alives.
        public var keepAlivePeriod: Duration = .seconds(2)
        /// The first byte of a keep-alive.
        public var keepAliveByte: UInt8 = 0x01
        /// After how many keep-alives without a reply the belt closes the link; nil for never.
        public var missedReplies: Int?

        /// The press types of a button notification: short, double, long.
        public var pressCodes: [UInt8] = [1, 2, 3]
        /// The third byte of a button notification.
        public var buttonByte: UInt8 = 0
        /// Whether a short press on power is notified.
        public var notifiesPowerPress = true
        /// Whether a press on compass in pause mode is notified.
        public var notifiesCompassInPause = false
        /// Whether a mode that a button changed is notified as a parameter too.
        public var repeatsModeOfButton = false
        /// By how many percent a press changes the intensity in pause mode.
        public var intensityStep = 10

        /// The intensity that it has when it leaves the factory, in percent.
        public var intensity = 50
        /// The angle between control box and front when it leaves the factory, in degrees.
        public var headingOffset = 45
        /// The inaccurate-orientation signal when it leaves the factory: bit 0 compass, bit 1 app.
        public var accuracySignal: UInt8 = 3
        /// The time between two orientation packets when it leaves the factory.
        public var orientationPeriod: Duration = .milliseconds(500)
        /// The heading that the wearer has at first, in degrees.
        public var heading = 0

        /// What answers a mode that the belt refuses.
        public var refusedMode: RefusedMode = .unchanged
        /// What answers a command that the belt rejects.
        public var rejection: Rejection = .ignored
        /// Whether the channels survive leaving app mode, and a pause: they come back with the mode.
        public var channelsSurvive = false
        /// Whether channel 0 and the system signals work in pause mode as in the other modes; if not, nothing
        /// vibrates in it, and vibration commands are rejected.
        public var vibratesInPause = true
        /// Where the system signals play.
        public var systemSignals: SignalPlace = .own
        /// How many channels there are.
        public var channelCount = 6
        /// How many motors run at once at most; with more, those of the lower channels win.
        public var motorLimit = 6
        /// The shapes of the patterns, by number.
        public var patterns: [UInt8: Pattern] = Pattern.plausible
        /// The intensity of the system's warning, in percent.
        public var warningIntensity = 25
        /// The time between two signs of life in wait mode; nil for none.
        public var waitSignalPeriod: Duration? = .seconds(10)
        /// The time between two signals of a doubtful compass.
        public var inaccuracySignalPeriod: Duration = .seconds(4)

        /// The time between two battery notifications.
        public var batteryPeriod: Duration = .seconds(5)
        /// The charge at first, in percent.
        public var batteryLevel = 80.0
        /// How many percent the battery loses in a minute, or gains while charging.
        public var batteryDrain = 0.0
        /// Whether battery packets carry the optional fields behind the voltage.
        public var sendsBatteryExtras = false

        /// The time between the announcement of standby and the end of the link.
        public var standbyDelay: Duration = .milliseconds(100)
        /// How long a calibration takes.
        public var calibrationTime: Duration = .seconds(20)
        /// Whether the calibration of the sensors can be asked for.
        public var tellsCalibration = true
        /// The time between two packets of raw sensor data.
        public var rawPeriod: Duration = .milliseconds(50)

        /// Makes the default choices.
        public init() {}

        /// How the belt deals with clients that have no bond.
        public enum Pairing: String, Hashable, Sendable, CaseIterable {
            /// It serves every client and bonds with every host that asks.
            case off
            /// It serves bonded clients only and bonds with every host that asks.
            case anytime
            /// It serves bonded clients only and bonds while the wearer has put it into pairing mode.
            case mode
        }

        /// What answers a request for a mode that the belt does not take.
        public enum RefusedMode: String, Hashable, Sendable, CaseIterable {
            /// The mode that it has, notified.
            case unchanged
            /// Nothing.
            case silent
        }

        /// Where the belt plays the signals that it has ready.
        public enum SignalPlace: String, Hashable, Sendable, CaseIterable {
            /// Beside the channels: no command ends them.
            case own
            /// On channel 0: what takes its place there ends them.
            case channel0 = "channel_0"
        }

        /// What answers a command that the belt rejects.
        public enum Rejection: Hashable, Sendable {
            /// The write succeeds and nothing happens.
            case ignored
            /// The write fails with this ATT error code.
            case error(UInt8)
        }
    }
}

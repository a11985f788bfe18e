import Bluetooth
import DeviceKit

/// What is asked of the belt's sensors and memory besides its everyday use, and what it has told so far.
struct BeltDiagnosis: Sendable {
    /// The timers of all of it.
    static let timers: [TimerName] = [logTimer, roundTimer, answersTimer, rawTimer, gattTimer]
    static let logTimer: TimerName = "error_log"
    static let roundTimer: TimerName = "calibration"
    static let answersTimer: TimerName = "calibration_answers"
    static let rawTimer: TimerName = "raw_values"
    static let gattTimer: TimerName = "gatt"

    /// How long the belt may take from one packet of its error log to the next (FSLib-iOS gives the whole as
    /// long).
    static let logTime = Duration.milliseconds(1500)
    /// How long the belt may take to tell its calibration.
    static let answersTime = Duration.seconds(2)

    /// A reading of the error log.
    struct Log: Sendable {
        var command: CommandID?
        /// What has come of it; nil before the header.
        var log: BeltErrorLog?
    }

    /// The stream of calibrations.
    struct Calibration: Sendable {
        var isEnabled = false
        var period = Duration.zero
        var command: CommandID?
        /// What has been told in this round.
        var told = BeltCalibration()
        /// What the belt has not answered in this round.
        var awaited: Set<BeltParameter> = []
    }

    /// The stream of raw values.
    struct RawValues: Sendable {
        var isEnabled = false
        /// Whether packets come.
        var isRunning = false
        var command: CommandID?
    }

    /// The commands that read or write bytes.
    struct Access: Sendable {
        /// Who waits for a read, the oldest first: a link answers reads of one characteristic in their order.
        var reads: [CharacteristicID: [CommandID]] = [:]
        var awaited: Awaited?

        /// A notification that is a command's answer.
        struct Awaited: Sendable {
            var command: CommandID
            var characteristic: CharacteristicID
            /// How it begins.
            var prefix: [UInt8]
        }
    }

    var log = Log()
    var calibration = Calibration()
    var raw = RawValues()
    var access = Access()

    /// Forgets what holds for one link only.
    ///
    /// - Returns: The commands that wait for an answer.
    mutating func leave() -> [CommandID] {
        let waiting =
            [log.command, calibration.command, raw.command, access.awaited?.command].compactMap { $0 }
            + access.reads.values.flatMap { $0 }
        log = Log()
        (calibration.command, calibration.told, calibration.awaited) = (nil, BeltCalibration(), [])
        (raw.command, raw.isRunning) = (nil, false)
        access = Access()
        return waiting.sorted { $0.number < $1.number }
    }
}

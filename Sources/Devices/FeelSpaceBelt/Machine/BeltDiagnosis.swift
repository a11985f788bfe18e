import Bluetooth
import DeviceKit

/// The diagnostic requests about the belt's sensors and memory, and the values received so far.
struct BeltDiagnosis: Sendable {
    /// The timers of all diagnostic requests.
    static let timers: [TimerName] = [logTimer, roundTimer, answersTimer, rawTimer, gattTimer]
    static let logTimer: TimerName = "error_log"
    static let roundTimer: TimerName = "calibration"
    static let answersTimer: TimerName = "calibration_answers"
    static let rawTimer: TimerName = "raw_values"
    static let gattTimer: TimerName = "gatt"

    /// How long the belt can take from one packet of its error log to the next. FSLib-iOS allows the same time for
    /// the whole log.
    static let logTime = Duration.milliseconds(1500)
    /// How long the belt can take to report its calibration.
    static let answersTime = Duration.seconds(2)

    /// The state of a command that reads the belt's error log.
    struct Log: Sendable {
        var command: CommandID?
        /// The part of the log that the belt has sent; nil before the header.
        var log: BeltErrorLog?
    }

    /// The state of the feature that publishes the belt's calibration periodically.
    struct Calibration: Sendable {
        var isEnabled = false
        var period = Duration.zero
        var command: CommandID?
        /// The calibration values that the belt has sent in the current round of requests.
        var told = BeltCalibration()
        /// The calibration values that the belt has not sent yet in the current round of requests.
        var awaited: Set<BeltParameter> = []
    }

    /// The state of the feature that publishes raw sensor values.
    struct RawValues: Sendable {
        var isEnabled = false
        /// Whether the belt sends packets of raw values.
        var isRunning = false
        var command: CommandID?
    }

    /// The commands in progress that read or write raw bytes.
    struct Access: Sendable {
        /// The commands that wait for reads, oldest first. A link completes the reads of one characteristic in order.
        var reads: [CharacteristicID: [CommandID]] = [:]
        var awaited: Awaited?

        /// A command that waits for a notification as its answer.
        struct Awaited: Sendable {
            var command: CommandID
            var characteristic: CharacteristicID
            /// The first bytes that the awaited notification must have.
            var prefix: [UInt8]
        }
    }

    var log = Log()
    var calibration = Calibration()
    var raw = RawValues()
    var access = Access()

    /// Resets the state of the link.
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

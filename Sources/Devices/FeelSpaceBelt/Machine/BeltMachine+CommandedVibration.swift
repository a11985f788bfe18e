import DeviceKit

extension BeltMachine {
    static let vibrationTimer: TimerName = "vibration"
    /// The shortest time between two messages that say what vibrates.
    static let vibrationInterval = Duration.milliseconds(100)

    /// Says what vibrates by command where that is another than was said: at once or, sooner than the interval allows,
    /// the newest when it is over. Without a link nothing does, which is said at once.
    mutating func settleVibration(_ effects: inout Effects) {
        guard phase == .online else {
            if let said = vibrationReport.said, said != .none { sayVibration(.none, &effects) }
            return setVibrationAlarm(nil, &effects)
        }
        vibrations.commanded.expire(at: now)
        let isSilent = vibrations.commanded.entries.isEmpty && vibrationReport.said?.channels.isEmpty == true
        guard !isSilent || vibrationReport.alarm != nil else { return }
        let newest = BeltCommandedVibration(
            vibrations.commanded, heading: orientation.heading, defaultIntensity: defaultIntensity)
        if newest != vibrationReport.said {
            guard now >= vibrationReport.free else {
                return setVibrationAlarm(vibrationReport.free, &effects)
            }
            sayVibration(newest, &effects)
        }
        setVibrationAlarm(vibrations.commanded.nextEnd, &effects)
    }

    private mutating func sayVibration(_ vibration: BeltCommandedVibration, _ effects: inout Effects) {
        vibrationReport.said = vibration
        vibrationReport.free = now + Self.vibrationInterval
        BeltFamily.vibration.publish(vibration, &effects)
    }

    private mutating func setVibrationAlarm(_ time: Duration?, _ effects: inout Effects) {
        guard time != vibrationReport.alarm else { return }
        vibrationReport.alarm = time
        if let time {
            effects.startTimer(Self.vibrationTimer, after: time - now)
        } else {
            effects.cancelTimer(Self.vibrationTimer)
        }
    }
}

/// What was said of the vibrations, and when the next may follow.
struct BeltVibrationReport: Hashable, Sendable {
    /// The newest that was said; nil where it has to be said, whatever it is.
    var said: BeltCommandedVibration?
    /// Before this moment nothing is said.
    var free = Duration.zero
    /// When the timer runs out; nil while it does not run.
    var alarm: Duration?
}

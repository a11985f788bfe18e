import DeviceKit

extension BeltMachine {
    static let vibrationTimer: TimerName = "vibration"
    /// The shortest time between two messages about the vibrations.
    static let vibrationInterval = Duration.milliseconds(100)

    /// Publishes the commanded vibrations on change: immediately or, if the interval since the previous message is not
    /// over, at the end of the interval. The end of the link ends all vibrations, which is published immediately.
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

/// What was last published about the vibrations, and when the next message may follow.
struct BeltVibrationReport: Hashable, Sendable {
    /// The vibrations as last published; nil if the next message must be published even if nothing has changed.
    var said: BeltCommandedVibration?
    /// When the next message may be published at the earliest.
    var free = Duration.zero
    /// When the timer for the next message expires; nil while the timer does not run.
    var alarm: Duration?
}

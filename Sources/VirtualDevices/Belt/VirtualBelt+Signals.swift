import Bluetooth

extension VirtualBelt {
    /// A vibration that the belt starts itself, in addition to the channels of the client.
    enum Signal: Int, Hashable, Sendable, Comparable {
        case system
        case feedback
        case inaccuracy
        case pairing
        case wait

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// Plays a system signal of the firmware.
    mutating func playSystemSignal(_ number: UInt8, _ turn: inout Turn) throws(Rejected) {
        switch number {
        case 0: play(pattern: 6, intensity: choices.warningIntensity, isExclusive: true, &turn)
        case 1: play(pattern: 9, intensity: nil, isExclusive: true, &turn)
        case 2: playBatterySignal(&turn)
        default: throw Rejected("unknown system signal \(number)")
        }
    }

    mutating func playBatterySignal(_ turn: inout Turn) {
        play(
            pattern: 11 + UInt8(min(13, battery.level / 100 * 13)), intensity: nil, isExclusive: false, &turn)
    }

    private mutating func play(pattern: UInt8, intensity: Int?, isExclusive: Bool, _ turn: inout Turn) {
        guard let shape = choices.patterns[pattern] else { return }
        var channel = Channel(shape, at: .motor(0), intensity: intensity, iterations: 1, from: turn.now)
        channel.isExclusive = isExclusive
        switch choices.systemSignals {
        case .own: signals[.system] = channel
        case .channel0: channels[0] = channel
        }
    }

    /// Lets the wearer feel a new default intensity.
    mutating func playFeedback(_ turn: inout Turn) {
        guard mode != .standby else { return }
        signals[.feedback] = Channel(
            Pattern(onAndOff: [300]), at: .motor(0), iterations: 1, from: turn.now)
    }

    /// Plays the signal of wait mode: one pulse without a connection, two pulses with a connection.
    mutating func playWaitSignal(_ turn: inout Turn) {
        guard mode == .wait, let period = choices.waitSignalPeriod else { return }
        let shape = Pattern(onAndOff: link == nil ? [100] : [100, 100, 100])
        signals[.wait] = Channel(shape, at: .motor(0), iterations: 1, from: turn.now)
        turn.start(.waitSignal, after: period)
    }

    /// Warns of an inaccurate compass with three pulses on both sides. In app mode, the warning uses channel 0.
    mutating func playInaccuracySignal(_ turn: inout Turn) {
        guard !isCompassAccurate, mode != .standby else { return }
        turn.start(.inaccuracySignal, after: choices.inaccuracySignalPeriod)
        let channel = Channel(
            Pattern(onAndOff: [150, 150, 150, 150, 150]), at: .mask(1 << 4 | 1 << 12), iterations: 1,
            from: turn.now)
        let wanted = parameters.accuracySignal.current
        switch mode {
        case .compass, .crossing: if wanted & 1 != 0 { signals[.inaccuracy] = channel }
        case .app: if wanted & 2 != 0 { channels[0] = channel }
        case .standby, .wait, .pause, .calibration: break
        }
    }

    /// Reports the running motors if they have changed, and sets the timer for their next change.
    mutating func updateFeel(_ turn: inout Turn) {
        channels = channels.filter { !$0.value.isOver(at: turn.now) }
        signals = signals.filter { !$0.value.isOver(at: turn.now) }
        let feeling = motors(at: turn.now)
        if feeling != felt {
            felt = feeling
            turn.reactions.append(.report(.feel(feeling)))
        }
        let playing = Array(channels.values) + Array(signals.values)
        let edge = playing.compactMap { $0.nextEdge(after: turn.now) }.min()
        guard edge != nextFeel else { return }
        nextFeel = edge
        if let edge {
            turn.start(.feel, after: edge - turn.now)
        } else {
            turn.cancel(.feel)
        }
    }

    /// The motors that currently run. An exclusive vibration silences all other vibrations. Of two exclusive
    /// vibrations, the newer one plays.
    private func motors(at now: Duration) -> [DeviceReport.MotorIntensity] {
        var playing = channels.filter { isFelt(channel: $0.key) }.sorted { $0.key < $1.key }.map(\.value)
        playing += signals.sorted { $0.key < $1.key }.map(\.value)
        if let alone = playing.filter(\.isExclusive).max(by: { $0.configuredAt < $1.configuredAt }) {
            playing = [alone]
        } else if let own = vibrationOfMode(at: now) {
            playing.append(own)
        }
        var strengths: [Int: Int] = [:]
        for channel in playing {
            let running = channel.motors(
                at: now, heading: heading, defaultIntensity: parameters.intensity.current)
            for (motor, strength) in running
            where strengths[motor] != nil || strengths.count < choices.motorLimit {
                strengths[motor] = max(strengths[motor] ?? 0, strength)
            }
        }
        return strengths.sorted { $0.key < $1.key }.map { .init(motor: $0.key, intensity: $0.value) }
    }

    /// Whether a channel can be felt. App mode plays all channels, other modes play channel 0 only.
    private func isFelt(channel: Int) -> Bool {
        switch mode {
        case .app: true
        case .pause: channel == 0 && choices.vibratesInPause
        case .standby, .wait, .compass, .calibration, .crossing: channel == 0
        }
    }

    private func vibrationOfMode(at now: Duration) -> Channel? {
        guard let continuous = choices.patterns[1] else { return nil }
        return switch mode {
        case .compass: Channel(continuous, at: .bearing(0), from: now)
        case .crossing: Channel(continuous, at: .bearing(crossingHeading), from: now)
        default: nil
        }
    }
}

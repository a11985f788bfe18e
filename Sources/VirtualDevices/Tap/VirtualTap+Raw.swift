import Bluetooth

extension VirtualTap {
    /// How far a raw stream has been sent.
    struct RawStream: Hashable, Sendable {
        /// When the stream started.
        var origin: Duration
        /// The number of the next sample of the fingers, and of the motion. Sample 1 is taken one sampling period after
        /// the start.
        var finger = 1
        var motion = 1
        /// How many frames were sent.
        var frames = 0
    }

    /// Whether the maker's app has switched on the developer mode, which raw mode requires (`docs/protocols/tap.md`).
    private var isDeveloper: Bool { settings[3] & 0x40 != 0 }

    /// The characteristic that notifies raw values.
    private var rawPlace: CharacteristicID { tells(.raw) ? Attribute.frames : Attribute.raw }

    /// Starts or stops the stream, depending on the mode, the subscription and the live line `raw`.
    mutating func updateStream(_ turn: inout Turn) {
        let isAsked = wantsStream ?? (mode == .raw && isDeveloper || tells(.raw))
        let isWanted = isOn && isAsked && link?.subscriptions.contains(rawPlace) == true
        guard isWanted != (stream != nil) else { return }
        stream = isWanted ? RawStream(origin: turn.now) : nil
        if isWanted { turn.start(.raw, after: choices.rawPeriod) } else { turn.cancel(.raw) }
    }

    /// Changes the sampling rate and restarts a running stream.
    mutating func set(rawRate rate: Double, _ turn: inout Turn) {
        rawRate = rate
        if stream != nil { stream = RawStream(origin: turn.now) }
    }

    /// The age, in milliseconds, from which samples are dropped if frames are sent late.
    private static let memory = 500.0
    /// The duration of the shock that a tap causes at a finger, in milliseconds.
    private static let blow = 40.0

    /// Sends all samples since the previous call, several messages per frame.
    mutating func sendFrames(_ turn: inout Turn) {
        guard var current = stream, let link else { return }
        let elapsed = (turn.now - current.origin) / .milliseconds(1)
        let periods = (
            finger: 1000 / rawRate, motion: 1000 / (rawRate * choices.motionRate / choices.fingerRate)
        )
        let oldest = elapsed - Self.memory
        current.finger = max(current.finger, Int(oldest / periods.finger))
        current.motion = max(current.motion, Int(oldest / periods.motion))
        let clock = clock(at: current.origin)
        let tapped = lastTap.map {
            (fingers: $0.combination, at: ($0.at - current.origin) / .milliseconds(1))
        }
        let isFramed = rawPlace == Attribute.frames
        let room =
            link.mtu - 3 - (isFramed ? 4 : 0) - (choices.rawPadding == .unpadded ? 0 : choices.paddingCount)
        var frame = RawFrame(room: room)
        while true {
            let finger =
                choices.model.hasFingers && !isFramed ? Double(current.finger) * periods.finger : .infinity
            let motion = choices.model.hasMotion ? Double(current.motion) * periods.motion : .infinity
            let time = min(finger, motion)
            guard time <= elapsed else { break }
            let kind: RawFrame.Kind = finger < motion ? .fingers : .motion
            if kind == .fingers { current.finger += 1 } else { current.motion += 1 }
            if !frame.hasRoom(for: kind) || (!choices.mixesMessages && frame.holdsOther(than: kind)) {
                send(frame, of: &current, &turn)
                frame = RawFrame(room: room)
            }
            // A message that is longer than the MTU of the connection allows is never sent.
            guard frame.hasRoom(for: kind) else { continue }
            frame.begin(kind, at: clock + UInt64(time))
            let seconds = (Double(clock) + time) / 1000
            switch kind {
            case .fingers:
                let since = tapped.map { time - $0.at } ?? .infinity
                let strength = since >= 0 && since < Self.blow ? 1 - since / Self.blow : 0
                self.motion.addFingers(
                    to: &frame, seconds: seconds, factor: sensitivity.fingerFactor,
                    blow: (tapped?.fingers ?? 0, strength))
            case .motion:
                self.motion.addMotion(
                    to: &frame, seconds: seconds, gyroFactor: sensitivity.gyroFactor,
                    factor: sensitivity.accelerometerFactor)
            }
        }
        send(frame, of: &current, &turn)
        stream = current
        turn.start(.raw, after: choices.rawPeriod)
    }

    private func send(_ frame: RawFrame, of stream: inout RawStream, _ turn: inout Turn) {
        guard !frame.isEmpty else { return }
        let isPadded =
            switch choices.rawPadding {
            case .padded: true
            case .unpadded: false
            case .mixed: stream.frames.isMultiple(of: 2)
            }
        stream.frames += 1
        let padding = isPadded ? choices.paddingCount : 0
        let bytes = frame.bytes + Array(repeating: 0, count: padding)
        turn.notify(rawPlace, rawPlace == Attribute.frames ? [0x00, 0x01, 0x00, 0x00] + bytes : bytes)
    }

    /// Sends a frame with a truncated last message.
    mutating func sendCutFrame(_ turn: inout Turn) {
        let now = clock(at: turn.now)
        var frame = RawFrame(room: 34)
        frame.begin(.motion, at: now)
        motion.addMotion(
            to: &frame, seconds: Double(now) / 1000, gyroFactor: sensitivity.gyroFactor,
            factor: sensitivity.accelerometerFactor)
        frame.begin(.motion, at: now + 5)
        frame.add(100)
        frame.add(-100)
        turn.notify(Attribute.raw, frame.bytes)
    }

    /// The device's clock in milliseconds.
    private func clock(at time: Duration) -> UInt64 {
        UInt64(choices.clockStart) + UInt64(max(0, (time - startedAt) / .milliseconds(1)))
    }
}

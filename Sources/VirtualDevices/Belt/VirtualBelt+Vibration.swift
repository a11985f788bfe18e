import Bluetooth

extension VirtualBelt {
    mutating func vibration(_ bytes: [UInt8], _ turn: inout Turn) throws(Rejected) {
        guard let command = bytes.first, mode != .standby else {
            throw Rejected("the command is empty, or the belt is in standby")
        }
        guard mode != .pause || choices.vibratesInPause else {
            throw Rejected("nothing vibrates in pause mode")
        }
        switch command {
        case 0x00..<UInt8(clamping: choices.channelCount): try configureChannel(bytes, &turn)
        case 0x20:
            guard bytes.count >= 2 else { throw Rejected("a system signal has 2 bytes") }
            try playSystemSignal(bytes[1], &turn)
        case 0x30:
            guard bytes.count >= 2 else { throw Rejected("a stop has 2 bytes") }
            guard mode == .app else { throw Rejected("a stop works only in app mode") }
            if bytes[1] == 0xFF { channels = [:] } else { channels[Int(bytes[1])] = nil }
        case 0x40: try configurePulse(bytes, &turn)
        default: throw Rejected("unknown vibration command \(command)")
        }
    }

    private mutating func configureChannel(_ bytes: [UInt8], _ turn: inout Turn) throws(Rejected) {
        guard bytes.count >= 18 else { throw Rejected("a channel configuration has 18 bytes") }
        guard let shape = choices.patterns[bytes[1]] else { throw Rejected("unknown pattern \(bytes[1])") }
        let strength = Packet.u16(bytes, 2)
        guard strength <= 100 || strength == 0xAAAA else { throw Rejected("intensity \(strength) > 100") }
        guard let target = Channel.Target(type: bytes[6], value: Packet.u16(bytes, 7)) else {
            throw Rejected("unknown orientation type \(bytes[6])")
        }
        var channel = Channel(
            shape, at: target, intensity: strength == 0xAAAA ? nil : strength,
            iterations: Int(Int8(bitPattern: bytes[11])), period: .milliseconds(Packet.u16(bytes, 12)),
            startTime: .milliseconds(Packet.u16(bytes, 14)), from: turn.now)
        channel.isExclusive = bytes[16] == 1
        try apply(channel, to: Int(bytes[0]), clearsOthers: bytes[17] == 1)
    }

    private mutating func configurePulse(_ bytes: [UInt8], _ turn: inout Turn) throws(Rejected) {
        guard firmwareVersion >= 45 else { throw Rejected("this firmware has no pulse command") }
        guard bytes.count >= 17 else { throw Rejected("a pulse command has 17 bytes") }
        let number = Int(bytes[1])
        guard number < choices.channelCount else { throw Rejected("there is no channel \(number)") }
        guard let target = Channel.Target(type: bytes[2], value: Packet.u16(bytes, 3)) else {
            throw Rejected("unknown orientation type \(bytes[2])")
        }
        guard bytes[5] <= 100 || bytes[5] == 0xAA else { throw Rejected("intensity \(bytes[5]) > 100") }
        guard bytes[14] <= 2 else { throw Rejected("unknown timer option \(bytes[14])") }
        let onTime = Duration.milliseconds(Packet.u16(bytes, 6))
        let pulsePeriod = Duration.milliseconds(Packet.u16(bytes, 10))
        let seriesPeriod = Duration.milliseconds(Packet.u16(bytes, 12))
        let shape = Pattern(
            (0..<Int(bytes[8])).map { Pattern.Pulse(start: pulsePeriod * $0, length: onTime) },
            length: max(pulsePeriod * Int(bytes[8]), .milliseconds(1)))
        let iterations = Int(Int8(bitPattern: bytes[9]))
        var channel = Channel(
            shape, at: target, intensity: bytes[5] == 0xAA ? nil : Int(bytes[5]), iterations: iterations,
            period: seriesPeriod, from: turn.now)
        channel.isExclusive = bytes[15] == 1
        if let old = channels[number], !old.isOver(at: turn.now),
            bytes[14] == 2 || (bytes[14] == 1 && old.period == channel.period)
        {
            channel.keepTimer(of: old, at: turn.now, iterations: iterations)
        }
        try apply(channel, to: number, clearsOthers: bytes[16] == 1)
    }

    /// Configures a channel if the belt accepts the command: in app mode always, otherwise only a limited vibration on
    /// channel 0 that does not clear the other channels.
    private mutating func apply(_ channel: Channel, to number: Int, clearsOthers: Bool) throws(Rejected) {
        guard mode == .app || (number == 0 && channel.end != nil && !clearsOthers) else {
            throw Rejected("outside app mode, a vibration must be limited, on channel 0, and clear no others")
        }
        if clearsOthers { channels = [:] }
        channels[number] = channel
    }

    /// Plays a tone pattern on the buzzer.
    func buzzer(_ bytes: [UInt8], _ turn: inout Turn) throws(Rejected) {
        guard firmwareVersion >= 45 else { throw Rejected("this firmware has no buzzer command") }
        guard bytes.count >= 2, bytes[0] == 0x01 else { throw Rejected("unknown buzzer command") }
        let count = Int(bytes[1])
        guard (1...9).contains(count), bytes.count >= 2 + 2 * count else {
            throw Rejected("a tone pattern has 1 to 9 steps and two bytes for each")
        }
        let steps = (0..<count).map { step in
            let hertz = Double(bytes[2 + step]) * 31.25
            return "\(hertz) Hz \(Int(bytes[2 + count + step]) * 10) ms"
        }
        turn.report("sound", ["steps": steps.joined(separator: ", ")])
    }
}

extension VirtualBelt.Channel {
    /// Keeps the timer of the vibration that this vibration replaces, so that the pulses continue in the same rhythm
    /// instead of restarting.
    mutating func keepTimer(of old: Self, at now: Duration, iterations: Int) {
        let phase = (now - old.origin).modulo(period)
        origin = now - phase
        if iterations > 0 { end = origin + period * iterations }
    }
}

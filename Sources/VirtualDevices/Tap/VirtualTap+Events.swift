import Bluetooth

extension VirtualTap {
    /// Whether the device notifies taps and mouse motion in its current mode.
    var sendsEvents: Bool {
        switch mode {
        case .text: false
        case .controller, .mouseHID, .fullHID: true
        case .raw: choices.sendsEventsInRaw
        }
    }

    private var sendsGestures: Bool { sendsEvents || (mode == .text && choices.sendsGesturesInText) }

    /// Simulates a tap.
    ///
    /// - Parameters:
    ///   - combination: The fingers, from 1 to 31.
    ///   - taps: The number of taps in a row: 1, 2 or 3.
    ///   - keyboard: The notified state of the keyboard layers; nil for the current state.
    mutating func tap(
        _ combination: UInt8, taps: Int = 1, keyboard said: Keyboard? = nil, _ turn: inout Turn
    ) {
        let packet = tapPacket(combination, taps: taps, keyboard: said, at: turn.now)
        lastTap = (combination, turn.now)
        if sendsEvents { turn.notify(Attribute.tapData, packet) }
        let isFramed = tellsDetections
        if isFramed { turn.notify(Attribute.frames, [0x01, 0x02, 0x00, 0x00, combination]) }
        let isTyped = mode.typesKeys && (!isFramed || choices.typesBesideFrames)
        if isTyped { type(combination, &turn) }
        noteUnheard(
            isTyped || isFramed || sendsEvents && isListening(to: Attribute.tapData), "tap \(combination)",
            &turn)
        if keyboard.shift == .on, combination != KeyMap.shift { keyboard.shift = .off }
    }

    /// Returns the bytes of a tap notification. Combination 0 reports the keyboard's state only.
    func tapPacket(
        _ combination: UInt8, taps: Int = 1, keyboard said: Keyboard? = nil, at now: Duration
    ) -> [UInt8] {
        var bytes = [combination, 0, 0, (said ?? keyboard).byte(taps: taps)]
        if choices.sendsTapInterval, let last = lastTap?.at {
            let interval = Packet.bytes(min(65_535, Int((now - last) / .milliseconds(1))))
            bytes.replaceSubrange(1...2, with: interval)
        }
        if choices.tapLength > 4 { bytes += Array(repeating: 0, count: choices.tapLength - 4) }
        return Array(bytes.prefix(choices.tapLength))
    }

    /// Types the key of a combination in the factory map.
    private mutating func type(_ combination: UInt8, _ turn: inout Turn) {
        turn.report("key", ["key": KeyMap.names[Int(combination)], "combination": "\(combination)"])
        guard choices.hasInputService, let usage = KeyMap.usages[Int(combination)] else { return }
        let modifier: UInt8 = keyboard.shift == .off ? 0x00 : 0x02
        turn.notify(Attribute.report, [modifier, 0, usage, 0, 0, 0, 0, 0])
        turn.notify(Attribute.report, KeyMap.released)
    }

    /// Simulates a mouse motion of the thumb or the hand.
    func move(_ packet: MousePacket, _ turn: inout Turn) {
        if sendsEvents { turn.notify(Attribute.mouse, packet.bytes(withAngles: choices.sendsAngles)) }
        let isFramed = tells(.motion)
        if isFramed { turn.notify(Attribute.frames, [0, 0, 0, 0] + packet.bytes(withAngles: true)) }
        if mode.movesPointer {
            turn.report("pointer", ["x": String(packet.x), "y": String(packet.y)])
        }
        noteUnheard(
            mode.movesPointer || isFramed || sendsEvents && isListening(to: Attribute.mouse),
            "mouse", &turn)
    }

    /// Simulates a gesture.
    func gesture(_ code: UInt8, _ turn: inout Turn) {
        if choices.framed != .off, (100...114).contains(code) {
            if tellsDetections { turn.notify(Attribute.frames, [0x01, 0x03, 0x00, 0x00, code]) }
            return noteUnheard(tellsDetections, "gesture \(code)", &turn)
        }
        if sendsGestures { turn.notify(Attribute.gesture, [code, 0x00]) }
        noteUnheard(sendsGestures && isListening(to: Attribute.gesture), "gesture \(code)", &turn)
    }

    mutating func set(airState wanted: AirState, _ turn: inout Turn) {
        guard wanted != airState else { return }
        airState = wanted
        turn.report("air_mouse", ["state": wanted.word])
        if sendsGestures { turn.notify(Attribute.gesture, [0x14, wanted.rawValue]) }
        updateHands(&turn)
    }

    /// Whether a TapXR sends hand states continuously.
    private var sendsHands: Bool {
        choices.model == .xr && sendsEvents && (xrState == .airMouse || airState == .airMouse)
    }

    mutating func updateHands(_ turn: inout Turn) {
        if sendsHands || handsLeft > 0 {
            turn.start(.hand, after: choices.handPeriod)
        } else {
            turn.cancel(.hand)
        }
    }

    /// Sets the posture of the hand. While the air mouse is off, the device sends the posture `count` times.
    mutating func pose(_ posture: Hand, count: Int, _ turn: inout Turn) {
        hand = posture
        handsLeft = count
        noteUnheard(sendsGestures && isListening(to: Attribute.gesture), "hand \(posture.word)", &turn)
        sendHand(&turn)
    }

    mutating func sendHand(_ turn: inout Turn) {
        if sendsGestures { turn.notify(Attribute.gesture, [hand.rawValue, 0x00]) }
        handsLeft = max(0, handsLeft - 1)
        updateHands(&turn)
    }

    /// Whether a connected client has subscribed to the characteristic.
    func isListening(to id: CharacteristicID) -> Bool { link?.subscriptions.contains(id) ?? false }

    /// Reports that an input of the user had no effect, because no client receives it.
    func noteUnheard(_ isHeard: Bool, _ what: String, _ turn: inout Turn) {
        guard !isHeard || link == nil else { return }
        turn.report("unheard", ["what": what, "mode": link == nil ? "not connected" : mode.word])
    }
}

extension VirtualTap {
    /// A mouse motion, as the device notifies it.
    struct MousePacket: Hashable, Sendable {
        var x: Int16
        var y: Int16
        var time: UInt32
        /// Whether the device is near a surface.
        var isNear = true
        /// Roll, pitch and yaw, in degrees.
        var angles: [Int16] = [0, 0, 0]

        func bytes(withAngles sendsAngles: Bool) -> [UInt8] {
            var bytes: [UInt8] = [0x00] + Packet.bytes(Int(x)) + Packet.bytes(Int(y))
            bytes += Packet.bytes32(time) + [isNear ? 1 : 0]
            if sendsAngles { bytes += angles.flatMap { Packet.bytes(Int($0)) } }
            return bytes
        }
    }
}

import Bluetooth

extension VirtualTap {
    /// The words that live lines can contain for a TAP, as text for error messages.
    static let understood =
        "1...31 [double|triple] [shift|locked] [switch], next, "
        + "mouse X Y [lifted] [dt N] [angles ROLL PITCH YAW], "
        + "gesture 0...19|21...255|\(gestures.joined(separator: "|")), "
        + "air-mouse \(AirState.allCases.map(\.word).joined(separator: "|")), "
        + "hand \(Hand.allCases.map(\.word).joined(separator: "|")) [1...1000], raw 1...1000|off|cut, "
        + "shift off|on|locked|undefined, switch on|off, battery 0...100, pair, on, off, "
        + "send tap|mouse|gesture|raw|frame HEX; with the framed protocol also "
        + "gesture \(framedGestures.joined(separator: "|")), standby on|off"

    /// Carries out the words that a live line (typed by a user) contains after the device's name. Reports invalid words
    /// with the allowed words.
    mutating func act(_ words: [String], _ turn: inout Turn) {
        if !isOn, words != ["on"] {
            turn.reactions.append(.misunderstood("the TAP is switched off; type 'on' to switch it on"))
            return
        }
        var rest = words.dropFirst()
        let isUnderstood =
            switch words.first {
            case "next" where rest.isEmpty: tapNext(&turn)
            case "mouse": actMouse(&rest, &turn)
            case "gesture": actGesture(rest, &turn)
            case "air-mouse": actAirMouse(rest, &turn)
            case "hand": actHand(rest, &turn)
            case "raw": actRaw(rest, &turn)
            case "shift", "switch": actKeyboard(words, &turn)
            case "battery": actBattery(rest, &turn)
            case "standby" where choices.framed != .off: actStandby(rest, &turn)
            case "send": actSend(rest, &turn)
            case "pair", "on", "off": actPower(words, &turn)
            default: actTap(words, &turn)
            }
        guard !isUnderstood else { return }
        turn.reactions.append(
            .misunderstood(
                "'\(words.joined(separator: " "))' is not understood; a \(choices.model.title) accepts: "
                    + Self.understood))
    }

    private mutating func actTap(_ words: [String], _ turn: inout Turn) -> Bool {
        guard let combination = words.first.flatMap({ UInt8($0) }), (1...31).contains(combination) else {
            return false
        }
        var taps = 1
        var said = keyboard
        for word in words.dropFirst() {
            switch word {
            case "double": taps = 2
            case "triple": taps = 3
            case "shift": said.shift = .on
            case "locked": said.shift = .locked
            case "switch": said.isSwitched = true
            default: return false
            }
        }
        tap(combination, taps: taps, keyboard: said, &turn)
        return true
    }

    /// Taps all combinations in sequence, so that an observer can detect lost, duplicate and reordered taps.
    private mutating func tapNext(_ turn: inout Turn) -> Bool {
        nextCombination = nextCombination % 31 + 1
        tap(nextCombination, &turn)
        return true
    }

    private func actMouse(_ rest: inout ArraySlice<String>, _ turn: inout Turn) -> Bool {
        guard let x = rest.popFirst().flatMap({ Int16($0) }), let y = rest.popFirst().flatMap({ Int16($0) })
        else { return false }
        var packet = MousePacket(x: x, y: y, time: choices.mouseTime)
        while let word = rest.popFirst() {
            switch word {
            case "lifted": packet.isNear = false
            case "dt":
                guard let time = rest.popFirst().flatMap({ UInt32($0) }) else { return false }
                packet.time = time
            case "angles":
                let angles = rest.prefix(3).compactMap { Int16($0) }
                guard angles.count == 3 else { return false }
                packet.angles = angles
                rest = rest.dropFirst(3)
            default: return false
            }
        }
        move(packet, &turn)
        return true
    }

    private func actGesture(_ rest: ArraySlice<String>, _ turn: inout Turn) -> Bool {
        guard rest.count == 1, let word = rest.first else { return false }
        guard
            let code = UInt8(word) ?? framedGesture(word)
                ?? Self.gestures.firstIndex(of: word).map({ UInt8($0) }),
            code != 0x14
        else { return false }
        gesture(code, &turn)
        return true
    }

    private mutating func actAirMouse(_ rest: ArraySlice<String>, _ turn: inout Turn) -> Bool {
        guard rest.count == 1, let wanted = AirState.allCases.first(where: { $0.word == rest.first }) else {
            return false
        }
        set(airState: wanted, &turn)
        return true
    }

    private mutating func actHand(_ rest: ArraySlice<String>, _ turn: inout Turn) -> Bool {
        guard (1...2).contains(rest.count), let word = rest.first,
            let posture = Hand.allCases.first(where: { $0.word == word }),
            let count = rest.count == 1 ? 3 : rest.last.flatMap({ Int($0) }), (1...1000).contains(count)
        else { return false }
        guard choices.model == .xr else {
            turn.reactions.append(
                .misunderstood("only a TapXR detects the hand; this is a \(choices.model.title)"))
            return true
        }
        pose(posture, count: count, &turn)
        return true
    }

    private mutating func actRaw(_ rest: ArraySlice<String>, _ turn: inout Turn) -> Bool {
        guard rest.count == 1, let word = rest.first else { return false }
        switch word {
        case "off":
            wantsStream = false
            updateStream(&turn)
        case "cut": sendCutFrame(&turn)
        default:
            guard let rate = Double(word), (1...1000).contains(rate) else { return false }
            set(rawRate: rate, &turn)
            wantsStream = true
            updateStream(&turn)
        }
        return true
    }

    private mutating func actKeyboard(_ words: [String], _ turn: inout Turn) -> Bool {
        guard words.count == 2 else { return false }
        switch (words[0], words[1]) {
        case ("switch", "on"): keyboard.isSwitched = true
        case ("switch", "off"): keyboard.isSwitched = false
        case ("shift", let word):
            guard let shift = Keyboard.Shift.allCases.first(where: { $0.word == word }) else { return false }
            keyboard.shift = shift
        default: return false
        }
        if sendsEvents { turn.notify(Attribute.tapData, tapPacket(0, at: turn.now)) }
        return true
    }

    private mutating func actBattery(_ rest: ArraySlice<String>, _ turn: inout Turn) -> Bool {
        guard rest.count == 1, let level = rest.first.flatMap({ Double($0) }), (0...100).contains(level)
        else {
            return false
        }
        set(battery: level, &turn)
        return true
    }

    private func actSend(_ rest: ArraySlice<String>, _ turn: inout Turn) -> Bool {
        let places = [
            "tap": Attribute.tapData, "mouse": Attribute.mouse, "gesture": Attribute.gesture,
            "raw": Attribute.raw, "frame": Attribute.frames,
        ]
        guard let id = rest.first.flatMap({ places[$0] }),
            let bytes = Hex.bytes(rest.dropFirst().joined(separator: " "))
        else { return false }
        turn.notify(id, bytes)
        return true
    }

    private mutating func actPower(_ words: [String], _ turn: inout Turn) -> Bool {
        switch words {
        case ["pair"]: setPairing(open: true, &turn)
        case ["on"]: switchOn(&turn)
        case ["off"]: switchOff(&turn)
        default: return false
        }
        return true
    }
}

import Bluetooth

extension VirtualBelt {
    /// The words that live lines can contain for a belt, as text for error messages.
    static let understood =
        "press power|pause|compass|home [long|double], battery 0...100 [charging|external], "
        + "turn 0...359, turn left|right 1...359, mode wait|compass|app|pause|calibration|crossing|standby, "
        + "standby, compass accurate|inaccurate, error CODE (hexadecimal), debug TEXT"

    /// Carries out the words that a live line (typed by a user) contains after the device's name. Reports invalid words
    /// with the allowed words.
    mutating func act(_ words: [String], _ turn: inout Turn) {
        let isUnderstood =
            switch words.first {
            case "press": actPress(words, &turn)
            case "battery": actBattery(words, &turn)
            case "turn": actTurn(words, &turn)
            case "mode": actMode(words, &turn)
            case "standby" where words.count == 1: actMode(["mode", "standby"], &turn)
            case "compass": actCompass(words, &turn)
            case "error": actError(words, &turn)
            case "debug" where words.count > 1: actDebug(words, &turn)
            default: false
            }
        guard !isUnderstood else { return }
        turn.reactions.append(
            .misunderstood(
                "'\(words.joined(separator: " "))' is not understood; a belt accepts: \(Self.understood)")
        )
    }

    private mutating func actPress(_ words: [String], _ turn: inout Turn) -> Bool {
        guard (2...3).contains(words.count), let button = Button(word: words[1]) else { return false }
        switch words.count == 3 ? words[2] : "short" {
        case "short": press(button, .short, &turn)
        case "double": press(button, .double, &turn)
        case "long": press(button, .long, &turn)
        default: return false
        }
        return true
    }

    private mutating func actBattery(_ words: [String], _ turn: inout Turn) -> Bool {
        guard (2...3).contains(words.count), let level = Double(words[1]), (0...100).contains(level) else {
            return false
        }
        let status: Battery.Status
        switch words.count == 3 ? words[2] : "" {
        case "": status = .onBattery
        case "charging": status = .charging
        case "external": status = .external
        default: return false
        }
        battery.level = level
        battery.status = status
        turn.report("battery", battery.details)
        if mode != .standby { sendBattery(&turn, again: false) }
        return true
    }

    private mutating func actTurn(_ words: [String], _ turn: inout Turn) -> Bool {
        guard let angle = words.last.flatMap({ Int($0) }), (0..<360).contains(angle) else { return false }
        switch (words.count, words[1]) {
        case (2, _): heading = angle
        case (3, "right"): heading = (heading + angle) % 360
        case (3, "left"): heading = (heading + 360 - angle) % 360
        default: return false
        }
        turn.report("heading", ["heading": String(heading)])
        return true
    }

    private mutating func actMode(_ words: [String], _ turn: inout Turn) -> Bool {
        guard words.count == 2, let wanted = Mode(word: words[1]) else { return false }
        if mode == .standby { switchOn(&turn) }
        if wanted == .app, link == nil {
            turn.reactions.append(.misunderstood("app mode is only available while a client is connected"))
        } else {
            change(to: wanted, &turn)
        }
        return true
    }

    private mutating func actCompass(_ words: [String], _ turn: inout Turn) -> Bool {
        switch words.dropFirst() {
        case ["accurate"]:
            isCompassAccurate = true
            signals[.inaccuracy] = nil
            turn.cancel(.inaccuracySignal)
        case ["inaccurate"]:
            isCompassAccurate = false
            turn.start(.inaccuracySignal, after: .milliseconds(500))
        default: return false
        }
        return true
    }

    private mutating func actError(_ words: [String], _ turn: inout Turn) -> Bool {
        guard words.count == 2, let code = UInt32(words[1], radix: 16) else { return false }
        happen(error: code, &turn)
        return true
    }

    private func actDebug(_ words: [String], _ turn: inout Turn) -> Bool {
        let text = words.dropFirst().joined(separator: " ").utf8 + Array("\n".utf8)
        for start in stride(from: 0, to: text.count, by: 19) {
            turn.notify(Attribute.debugOutput, [0x01] + text[start..<min(start + 19, text.count)])
        }
        return true
    }
}

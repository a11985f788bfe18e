import Bluetooth

extension VirtualBelt {
    mutating func connected(_ turn: inout Turn) {
        link = Link()
        guard mode != .standby else {
            turn.reactions.append(.disconnect)
            return
        }
        turn.start(.keepAlive, after: choices.keepAlivePeriod)
        turn.start(.battery, after: choices.batteryPeriod)
    }

    /// Handles a disconnect. App mode ends, because it requires a connection. A pause that started in app mode then
    /// leads to wait mode.
    mutating func disconnected(_ turn: inout Turn) {
        link = nil
        for timer in [Timer.keepAlive, .battery, .orientation, .rawData, .selfTest, .standby] {
            turn.cancel(timer)
        }
        if mode == .app { enter(.wait, &turn) }
        if pausedMode == .app { pausedMode = .wait }
    }

    mutating func subscribed(_ id: CharacteristicID, _ isWanted: Bool, _ turn: inout Turn) {
        if isWanted {
            link?.subscriptions.insert(id)
        } else {
            link?.subscriptions.remove(id)
        }
        switch id {
        case Attribute.orientation where isWanted:
            turn.start(.orientation, after: .milliseconds(parameters.orientationPeriod.current))
        case Attribute.orientation: turn.cancel(.orientation)
        case Attribute.sensorData where !isWanted:
            link?.rawSequence = nil
            turn.cancel(.rawData)
        default: break
        }
    }

    func isSubscribed(_ id: CharacteristicID) -> Bool { link?.subscriptions.contains(id) ?? false }

    mutating func sendKeepAlive(_ turn: inout Turn) {
        guard link != nil, mode != .standby else { return }
        if let allowed = choices.missedReplies, let missed = link?.missedReplies, missed >= allowed {
            turn.report("fault", ["fault": "no reply to \(missed) keep-alives"])
            turn.reactions.append(.disconnect)
            return
        }
        if isSubscribed(Attribute.keepAlive) { link?.missedReplies += 1 }
        turn.notify(Attribute.keepAlive, [choices.keepAliveByte, mode.rawValue])
        turn.start(.keepAlive, after: choices.keepAlivePeriod)
    }

    /// Disconnects. Callers call this function after a delay, so that the client can receive the reason first.
    func closeLink(_ turn: inout Turn) {
        if link != nil { turn.reactions.append(.disconnect) }
    }

    mutating func beginPairing(_ turn: inout Turn) {
        isInPairingMode = true
        signals[.pairing] = Channel(
            Pattern(onAndOff: [100]), at: .motor(0), period: .milliseconds(250), from: turn.now)
        turn.start(.pairing, after: .seconds(60))
        turn.report("pairing", ["open": "true"])
    }

    mutating func endPairing(_ turn: inout Turn) {
        guard isInPairingMode else { return }
        isInPairingMode = false
        signals[.pairing] = nil
        turn.cancel(.pairing)
        turn.report("pairing", ["open": "false"])
    }
}

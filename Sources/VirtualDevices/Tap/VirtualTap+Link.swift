import Bluetooth

extension VirtualTap {
    mutating func switchOn(_ turn: inout Turn) {
        guard !isOn else { return }
        isOn = true
        mode = .text
        xrState = .userControl
        airState = .standby
        keyboard = Keyboard()
        sensitivity = Sensitivity()
        frames = FramedState()
        // The framed protocol numbers the ranges from 1. These numbers are the ranges that the classic protocol uses by
        // default.
        if choices.framed != .off { sensitivity = Sensitivity([0, 3, 2]) }
        advertisedName = deviceName
        turn.reactions.append(.advertise(true))
        turn.report("mode", ["mode": mode.word, "because": "power"])
        if choices.batteryDrain > 0 { turn.start(.battery, after: .seconds(60)) }
    }

    mutating func switchOff(_ turn: inout Turn) {
        guard isOn else { return }
        isOn = false
        turn.reactions.append(.advertise(false))
        if link != nil { turn.reactions.append(.disconnect) }
        play([], &turn)
        setPairing(open: false, &turn)
        turn.cancel(.battery)
    }

    mutating func connected(mtu: Int, _ turn: inout Turn) {
        link = Link(mtu: mtu)
        if !isOn { turn.reactions.append(.disconnect) }
    }

    mutating func disconnected(_ turn: inout Turn) {
        link = nil
        heldCommand = nil
        lastCommandAt = nil
        handsLeft = 0
        turn.cancel(.command)
        turn.cancel(.hand)
        if !choices.keepsMode {
            xrState = .userControl
            airState = .standby
            enter(.text, because: "disconnect", &turn)
            senseNothing(because: "disconnect", &turn)
        }
        turn.cancel(.keepAlive)
        updateStream(&turn)
    }

    mutating func subscribed(_ id: CharacteristicID, _ isWanted: Bool, _ turn: inout Turn) {
        if isWanted {
            link?.subscriptions.insert(id)
        } else {
            link?.subscriptions.remove(id)
        }
        if id == Attribute.raw || id == Attribute.frames { updateStream(&turn) }
    }

    mutating func setPairing(open isOpen: Bool, _ turn: inout Turn) {
        guard isOpen != isOpenForPairing else { return }
        isOpenForPairing = isOpen
        if isOpen { turn.start(.pairing, after: .seconds(60)) } else { turn.cancel(.pairing) }
        turn.report("pairing", ["open": isOpen ? "true" : "false"])
    }

    /// Enters an input mode, or continues the current mode if it is the same.
    mutating func enter(_ wanted: Mode, because reason: String, _ turn: inout Turn) {
        turn.cancel(.mode)
        if wanted != .text, let timeout = choices.modeTimeout { turn.start(.mode, after: timeout) }
        guard wanted != mode else { return }
        mode = wanted
        wantsStream = nil
        var details = ["mode": wanted.word, "because": reason]
        if wanted == .raw { details["sensitivity"] = sensitivity.text }
        turn.report("mode", details)
        updateStream(&turn)
        updateHands(&turn)
    }

    mutating func set(battery level: Double, _ turn: inout Turn) {
        let old = UInt8(battery)
        battery = max(0, level)
        guard UInt8(battery) != old else { return }
        turn.report("battery", ["level": String(UInt8(battery))])
        if choices.notifiesBattery { turn.notify(Attribute.battery, [UInt8(battery)]) }
    }

    mutating func drainBattery(_ turn: inout Turn) {
        set(battery: battery - choices.batteryDrain, &turn)
        if battery > 0 { turn.start(.battery, after: .seconds(60)) }
    }
}

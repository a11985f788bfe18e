import Bluetooth

extension VirtualTap {
    /// The minimum interval between two commands.
    private static let commandSpacing: Duration = .milliseconds(200)
    /// The size of the firmware's command slot, in bytes.
    private static let slotSize = 24

    /// Handles a mode or XR state command: executes the command immediately, or stores it in the firmware's slot, where
    /// the next command replaces it.
    mutating func receive(_ bytes: [UInt8], _ turn: inout Turn) throws(Rejected) {
        if let last = lastCommandAt, turn.now - last < Self.commandSpacing {
            let gap = (turn.now - last) / .milliseconds(1)
            turn.report("hurried", ["after_ms": String(Int(gap)), "spacing_ms": "200"])
        }
        lastCommandAt = turn.now
        guard let slot = choices.commandSlot else { return try obey(bytes, &turn) }
        if heldCommand == nil { turn.start(.command, after: slot) }
        heldCommand = Array(bytes.prefix(Self.slotSize))
    }

    /// Carries out a mode or XR state command.
    mutating func obey(_ bytes: [UInt8], _ turn: inout Turn) throws(Rejected) {
        guard bytes.count >= 4, bytes[0] == 0x03, bytes[2] == 0x00 else {
            throw Rejected("a mode command has the bytes 03, a kind, 00 and a value")
        }
        switch bytes[1] {
        case 0x0C: try setMode(bytes, &turn)
        case 0x0D:
            // Clients send this command to straps too, which ignore it.
            guard choices.model == .xr else { return }
            guard let wanted = XRState(rawValue: bytes[3]) else {
                throw Rejected("unknown XR state \(bytes[3])")
            }
            set(xrState: wanted, &turn)
        default: throw Rejected("unknown command \(bytes[1])")
        }
    }

    private mutating func setMode(_ bytes: [UInt8], _ turn: inout Turn) throws(Rejected) {
        guard let wanted = Mode(code: bytes[3]) else { throw Rejected("unknown mode \(bytes[3])") }
        if wanted == .raw {
            if bytes.count < 7, choices.shortRaw == .ignored {
                throw Rejected("a raw command has three sensitivities")
            }
            let asked = bytes.count < 7 ? Sensitivity() : Sensitivity(bytes[4..<7])
            if mode != .raw || choices.sensitivityChange == .applied { sensitivity = asked }
        }
        enter(wanted, because: "command", &turn)
    }

    private mutating func set(xrState wanted: XRState, _ turn: inout Turn) {
        guard wanted != xrState else { return }
        xrState = wanted
        turn.report("xr_state", ["state": wanted.word])
        if choices.announcesXRState {
            switch wanted {
            case .airMouse: set(airState: .airMouse, &turn)
            case .tapping: set(airState: .standby, &turn)
            case .userControl: break
            }
        }
        updateHands(&turn)
    }

    /// Answers a query of the air-mouse state.
    func requestState(_ bytes: [UInt8], _ turn: inout Turn) throws(Rejected) {
        guard bytes.first == 0x0D else { throw Rejected("a state request starts with 0d") }
        turn.notify(Attribute.gesture, [0x14, airState.rawValue])
    }

    /// Answers a data request: the keyboard's state, or a tap that the client simulates.
    mutating func requestData(_ bytes: [UInt8], _ turn: inout Turn) throws(Rejected) {
        switch bytes.first {
        case 0xF1: turn.notify(Attribute.tapData, tapPacket(0, at: turn.now))
        case .some(let combination) where (1...31).contains(combination): tap(combination, &turn)
        default: throw Rejected("a data request is f1 00, or a combination from 1 to 31 and 00")
        }
    }

    /// Changes the device's name.
    mutating func rename(_ bytes: [UInt8], _ turn: inout Turn) throws(Rejected) {
        guard bytes.count <= choices.longestName else {
            throw Rejected("a name has at most \(choices.longestName) bytes", code: ATTError.invalidLength)
        }
        deviceName = String(decoding: bytes, as: UTF8.self)
        if choices.advertisesNewName { advertisedName = deviceName }
        turn.report("name", ["name": deviceName])
    }

    /// Changes the settings. Bytes after the written bytes stay the same.
    mutating func set(settings bytes: [UInt8], _ turn: inout Turn) throws(Rejected) {
        guard bytes.count <= settings.count else {
            throw Rejected("settings have 20 bytes", code: ATTError.invalidLength)
        }
        settings.replaceSubrange(..<bytes.count, with: bytes)
        updateStream(&turn)
    }
}

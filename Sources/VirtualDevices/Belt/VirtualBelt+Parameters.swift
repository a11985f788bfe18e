import Bluetooth

extension VirtualBelt {
    mutating func request(_ bytes: [UInt8], _ turn: inout Turn) throws(Rejected) {
        guard bytes.count >= 2 else { throw Rejected("a parameter request has at least 2 bytes") }
        switch bytes[0] {
        case 0x01 where bytes[1] < 0x80: try answerBasic(bytes[1], &turn)
        case 0x01: try writeBasic(bytes[1] & 0x7F, Array(bytes[2...]), &turn)
        case 0x10:
            let ids = bytes[2...].prefix(Int(bytes[1]))
            guard !ids.isEmpty else { throw Rejected("no parameter is given") }
            for id in ids { try answerExtended(id, &turn) }
        case 0x11:
            guard bytes.count >= 4 else { throw Rejected("an extended write has at least 4 bytes") }
            try writeExtended(bytes[1], Array(bytes[3...]), isStored: bytes[2] != 0, &turn)
            try answerExtended(bytes[1], &turn)
        case 0x12:
            guard bytes.count >= 4 else { throw Rejected("a reset has 4 bytes") }
            guard firmwareVersion >= 43 else { throw Rejected("this firmware has no reset") }
            reset(parameters: bytes[1] == 1, radio: bytes[2] == 1, sensors: bytes[3] == 1, &turn)
        default: throw Rejected("unknown request family \(bytes[0])")
        }
    }

    private func answerBasic(_ id: UInt8, _ turn: inout Turn) throws(Rejected) {
        let value: [UInt8] =
            switch id {
            case 0x01: [mode.rawValue]
            case 0x02: [UInt8(parameters.intensity.current)]
            case 0x03: Packet.bytes(parameters.headingOffset.current)
            case 0x04: Array(nameSuffix.utf8.prefix(18))
            default: throw Rejected("unknown basic parameter \(id)")
            }
        turn.notify(Attribute.parameter, [0x01, id] + value)
    }

    private mutating func writeBasic(_ id: UInt8, _ value: [UInt8], _ turn: inout Turn) throws(Rejected) {
        switch id {
        case 0x01:
            guard let wanted = value.first else { throw Rejected("a mode is missing") }
            request(mode: wanted, &turn)
            return
        case 0x02:
            guard let wanted = value.first else { throw Rejected("an intensity is missing") }
            parameters.intensity.set(min(100, max(5, Int(wanted))))
            if value.count >= 3, value[2] == 1 { playFeedback(&turn) }
        case 0x03:
            guard value.count >= 2 else { throw Rejected("a heading offset has 2 bytes") }
            if Packet.u16(value, 0) < 360 { parameters.headingOffset.set(Packet.u16(value, 0)) }
        case 0x04:
            nameSuffix = String(
                decoding: value.prefix(18).filter { (0x20...0x7E).contains($0) }, as: UTF8.self)
            turn.start(.standby, after: choices.standbyDelay)
        default: throw Rejected("unknown basic parameter \(id)")
        }
        try answerBasic(id, &turn)
    }

    private func answerExtended(_ id: UInt8, _ turn: inout Turn) throws(Rejected) {
        guard let value = extendedValue(id) else { throw Rejected("unknown extended parameter \(id)") }
        turn.notify(Attribute.parameter, [0x10, id] + value)
    }

    private func extendedValue(_ id: UInt8) -> [UInt8]? {
        switch id {
        case 0x00: [UInt8(parameters.intensity.current)]
        case 0x01: Packet.bytes(parameters.headingOffset.current)
        case 0x02: [parameters.buzzer.current]
        case 0x03: [parameters.accuracySignal.current]
        case 0x0A where choices.firmware.prefix(3) == [4, 0, 4]: parameters.frontRange.current
        case 0x0F where firmwareVersion >= 52: Packet.bytes(parameters.orientationPeriod.current)
        case 0x25: [parameters.pairingRequired.current]
        default: calibrationValue(id)
        }
    }

    /// Returns a calibration value, which development firmware lets clients read.
    private func calibrationValue(_ id: UInt8) -> [UInt8]? {
        guard choices.tellsCalibration else { return nil }
        return switch id {
        case 0x0D: [12.5, -3, 0.25].flatMap(Packet.bytes(float:))
        case 0x0E: [1, 1, 1].flatMap(Packet.bytes(float:))
        case 0x0F: Packet.bytes(float: 0.5)
        case 0x10: [0, 0, 0].flatMap(Packet.bytes(float:))
        case 0x11: [3]
        default: nil
        }
    }

    private mutating func writeExtended(
        _ id: UInt8, _ value: [UInt8], isStored: Bool, _ turn: inout Turn
    ) throws(Rejected) {
        guard calibrationValue(id) == nil || id == 0x0F && firmwareVersion >= 52 else {
            throw Rejected("parameter \(id) cannot be set")
        }
        guard let old = extendedValue(id) else { throw Rejected("unknown extended parameter \(id)") }
        guard value.count >= old.count else { throw Rejected("parameter \(id) has \(old.count) bytes") }
        switch id {
        case 0x00: parameters.intensity.set(min(100, max(5, Int(value[0]))), isStored: isStored)
        case 0x01:
            guard Packet.u16(value, 0) < 360 else { return }
            parameters.headingOffset.set(Packet.u16(value, 0), isStored: isStored)
        case 0x02: parameters.buzzer.set(value[0], isStored: isStored)
        case 0x03:
            guard value[0] <= 3 else { return }
            parameters.accuracySignal.set(value[0], isStored: isStored)
        case 0x0A: parameters.frontRange.set(Array(value.prefix(7)), isStored: isStored)
        case 0x0F:
            parameters.orientationPeriod.set(max(20, Packet.u16(value, 0)), isStored: isStored)
            if isSubscribed(Attribute.orientation) {
                turn.start(.orientation, after: .milliseconds(parameters.orientationPeriod.current))
            }
        default: parameters.pairingRequired.set(value[0], isStored: isStored)
        }
    }

    /// Resets groups of parameters to their factory values. The belt notifies the parameters whose value changes.
    private mutating func reset(
        parameters resetsParameters: Bool, radio: Bool, sensors: Bool, _ turn: inout Turn
    ) {
        if resetsParameters {
            let oldIntensity = parameters.intensity.current
            parameters = Parameters(choices)
            if oldIntensity != parameters.intensity.current {
                turn.notify(Attribute.parameter, [0x01, 0x02, UInt8(parameters.intensity.current)])
            }
        }
        if sensors { isCompassAccurate = true }
        if radio {
            nameSuffix = choices.nameSuffix
            turn.start(.standby, after: choices.standbyDelay)
        }
    }
}

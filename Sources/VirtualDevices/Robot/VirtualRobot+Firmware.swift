import Bluetooth

// How the robot's firmware handles connections, reads and writes.
extension VirtualRobot {
    /// Sets the state after power-up: no motor power, emergency stop set, field orientation on, weapon off.
    mutating func boot(_ reactions: inout [Reaction]) {
        values = Dictionary(uniqueKeysWithValues: Attribute.all.map { ($0, choices.initialValue) })
        (movement, rotation) = (Polar(), Polar())
        (fieldOrientation, isStopped, hasPower) = (true, true, false)
        setWeapon(false, &reactions)
        pose = Pose()
        pose.heading = Double(choices.heading)
        reactions.append(.advertise(true))
    }

    /// Cuts the motors' power, which takes a while. Motion and flags are kept.
    mutating func disconnected(_ reactions: inout [Reaction]) {
        isConnected = false
        cutPower(&reactions)
        if choices.advertises == .afterBlock { reactions.append(.advertise(false)) }
        reactions.append(.startTimer(Timer.block.rawValue, after: choices.block))
    }

    /// Ends the firmware's work after a disconnect. If the power was switched on in the meantime, the firmware cuts it
    /// again.
    mutating func endBlock(_ reactions: inout [Reaction]) {
        cutPower(&reactions)
        if choices.advertises == .afterBlock { reactions.append(.advertise(true)) }
    }

    private mutating func cutPower(_ reactions: inout [Reaction]) {
        hasPower = false
        setWeapon(false, &reactions)
    }

    /// Returns the last written value, or a different value if the live line `refuse` requested it.
    mutating func read(_ id: CharacteristicID) -> Reaction {
        guard var value = values[id] else { return .refused(ATTError.readNotPermitted) }
        if refusals > 0 {
            refusals -= 1
            if value.isEmpty { value = [0x30] }
            value[value.endIndex - 1] = value[value.endIndex - 1] == 0x30 ? 0x31 : 0x30
        }
        return .value(value)
    }

    mutating func write(
        _ id: CharacteristicID, _ bytes: [UInt8], withResponse: Bool, _ reactions: inout [Reaction]
    ) -> Reaction {
        guard !withResponse, values[id] != nil else { return .refused(ATTError.writeNotPermitted) }
        values[id] = bytes
        switch id {
        case Attribute.movement: if let polar = Polar(bytes) { movement = polar }
        case Attribute.rotation: if let polar = Polar(bytes) { rotation = polar }
        default: press(bytes, &reactions)
        }
        return .written
    }

    /// Handles a buttons value: the weapon first, which depends on the previous power state, then the other buttons.
    private mutating func press(_ bytes: [UInt8], _ reactions: inout [Reaction]) {
        guard bytes.count >= 3 else { return }
        let isOn = bytes.prefix(3).map { $0 == UInt8(ascii: "1") }
        setWeapon(isOn[0] && !isStopped && hasPower, &reactions)
        fieldOrientation = isOn[1]
        isStopped = !isOn[2]
        if isStopped {
            cutPower(&reactions)
        } else {
            hasPower = true
        }
    }

    private mutating func setWeapon(_ isOn: Bool, _ reactions: inout [Reaction]) {
        guard isOn != weapon else { return }
        weapon = isOn
        reactions.append(.report(.other(event: "weapon", ["on": isOn ? "true" : "false"])))
    }
}

extension VirtualRobot.Polar {
    /// Parses `angle,magnitude`; nil without a comma.
    init?(_ bytes: [UInt8]) {
        guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        self.init(angle: Self.number(bytes[..<comma]), magnitude: Self.number(bytes[(comma + 1)...]))
    }

    /// The number at the start of a text, in the manner of a C parser: sign, digits, a decimal point; 0 without a
    /// number.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Double {
        var text = ""
        for byte in bytes {
            let character = Character(UnicodeScalar(byte))
            let isSign = "+-".contains(character) && text.isEmpty
            guard isSign || character.isASCII && character.isNumber || character == "." && !text.contains(".")
            else { break }
            text.append(character)
        }
        if text.hasSuffix(".") { text.append("0") }
        return Double(text) ?? 0
    }
}

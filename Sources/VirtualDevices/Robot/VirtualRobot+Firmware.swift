import Bluetooth

// What the firmware does with what it is told.
extension VirtualRobot {
    /// Starts as after power-up: no motor power, emergency stop set, field orientation on, weapon off.
    mutating func boot(_ reactions: inout [Reaction]) {
        values = Dictionary(uniqueKeysWithValues: Attribute.all.map { ($0, choices.initialValue) })
        (movement, rotation) = (Polar(), Polar())
        (fieldOrientation, isStopped, hasPower) = (true, true, false)
        setWeapon(false, &reactions)
        pose = Pose()
        pose.heading = Double(choices.heading)
        reactions.append(.advertise(true))
    }

    /// Cuts the motors' power and is busy with that for a while; motion and flags are kept.
    mutating func disconnected(_ reactions: inout [Reaction]) {
        isConnected = false
        cutPower(&reactions)
        if choices.advertises == .afterBlock { reactions.append(.advertise(false)) }
        reactions.append(.startTimer(Timer.block.rawValue, after: choices.block))
    }

    /// The handler of the disconnect comes to its end: power that was switched on meanwhile is gone again.
    mutating func endBlock(_ reactions: inout [Reaction]) {
        cutPower(&reactions)
        if choices.advertises == .afterBlock { reactions.append(.advertise(true)) }
    }

    private mutating func cutPower(_ reactions: inout [Reaction]) {
        hasPower = false
        setWeapon(false, &reactions)
    }

    /// Gives back what was written last, or something else where that was asked for.
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

    /// Takes a buttons value: the weapon first, against the power that there was, then the others.
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
    /// Reads `angle,magnitude`; nil where there is no comma.
    init?(_ bytes: [UInt8]) {
        guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        self.init(angle: Self.number(bytes[..<comma]), magnitude: Self.number(bytes[(comma + 1)...]))
    }

    /// The number that a text begins with, as a C parser takes it: sign, digits, a point; 0 if there is none.
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

import DeviceKit

extension RobotMachine {
    /// Carries out a command, or refuses it.
    mutating func carryOut(
        _ id: CommandID, _ feature: String, _ arguments: Arguments, _ effects: inout Effects
    ) {
        if case RobotFamily.emergencyStop = feature { return stopForEmergency(id, &effects) }
        do throws(CommandError) {
            guard phase == .online else { throw .notConnected("robot") }
            switch feature {
            case RobotFamily.drive: try drive(id, RobotFamily.drive.parse(arguments), &effects)
            case RobotFamily.stop: stop(.stop, for: id, &effects)
            case RobotFamily.power:
                try setPower(id, isOn: RobotFamily.power.parse(arguments).isOn, &effects)
            case RobotFamily.weapon: try setWeapon(id, RobotFamily.weapon.parse(arguments), &effects)
            case RobotFamily.fieldOrientation:
                let isOn = try RobotFamily.fieldOrientation.parse(arguments).isOn
                setFieldOrientation(id, isOn: isOn, &effects)
            case RobotFamily.fieldOffset:
                setFieldOffset(id, try RobotFamily.fieldOffset.parse(arguments).value, &effects)
            default: throw CommandError(.unknownFeature, "a robot has no command \(feature)")
            }
        } catch {
            effects.answer(id, .failed(error))
        }
    }

    private mutating func setPower(
        _ id: CommandID, isOn: Bool, _ effects: inout Effects
    ) throws(CommandError) {
        guard isOn else { return stop(.powerOff, for: id, &effects) }
        guard !confirmation.isOfEmergencyStop else {
            throw CommandError(.busy, "the emergency stop is being confirmed; try again when it is answered")
        }
        power.request([id])
        switchPowerOn(&effects)
    }

    /// Switches the power on if requested, as soon as the firmware can no longer switch it off and no stop is in
    /// progress.
    mutating func switchPowerOn(_ effects: inout Effects) {
        guard phase == .online, power.requests != nil else { return }
        guard now >= power.allowedFrom else {
            return effects.startTimer(RobotPower.timer, after: power.allowedFrom - now)
        }
        guard slot.stop == nil, !slot.isStopDue, latch.release(at: now, &effects) else { return }
        let commands = power.takeRequests()
        if !buttons.power {
            // The firmware may still have an old motion. Without this write, that motion would resume when the power
            // returns.
            _ = write(RobotGATT.movement, RobotVector.zero.bytes, &effects)
            _ = write(RobotGATT.rotation, RobotVector.zero.bytes, &effects)
            (buttons.power, buttons.weapon) = (true, false)
        }
        power.used(for: powerTimeout, at: now, &effects)
        writeButtons(for: commands, &effects)
    }

    private mutating func setFieldOrientation(_ id: CommandID, isOn: Bool, _ effects: inout Effects) {
        if isOn != buttons.fieldOrientation {
            if drive.motion != nil { stop(.fieldOrientation, &effects) }
            buttons.fieldOrientation = isOn
        }
        writeButtons(for: [id], &effects)
    }

    private mutating func setFieldOffset(_ id: CommandID, _ degrees: Double, _ effects: inout Effects) {
        offset = degrees
        // While motion is blocked, a new offset does not turn the current drive. In both cases, the lease of the drive
        // stays the same.
        if block == nil { turnDrive(&effects) }
        // The robot has no characteristic for the offset, so no write must be awaited.
        effects.answer(id, .ok)
    }
}

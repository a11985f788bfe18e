import Bluetooth
import DeviceKit

// The weapon runs until its lease ends, and at most as long as the configuration allows.
extension RobotMachine {
    /// Switches the weapon on for a limited time, or off.
    mutating func setWeapon(
        _ id: CommandID, _ asked: RobotFamily.SwitchCommand, _ effects: inout Effects
    ) throws(CommandError) {
        guard asked.isOn else {
            buttons.weapon = false
            weapon.stop(&effects)
            return writeButtons(for: [id], priority: .ahead, &effects)
        }
        guard settings.allowsWeapon else {
            throw CommandError(
                .notSupported, "the weapon is not allowed: the configuration's allow_weapon is off")
        }
        // The firmware checks the weapon against the power state before the write, so the power must be switched on
        // first.
        guard buttons.power else { throw CommandError(.wrongMode, powerAdvice) }
        let time = try weaponTime(asked.duration, from: id.arrival ?? now)
        guard time.end > now else {
            throw CommandError(.expired, "the command's time ended before it could be carried out")
        }
        weapon.start(time, driving: drive.lease.end, at: now, &effects)
        buttons.weapon = true
        writeButtons(for: [id], &effects)
    }

    private func weaponTime(_ time: Int?, from arrival: Duration) throws(CommandError) -> RobotWeapon.Time {
        guard let time else {
            return RobotWeapon.Time(
                end: arrival + .milliseconds(min(Self.usualLease, settings.longestLease)),
                limit: arrival + .milliseconds(settings.longestLease))
        }
        guard time <= settings.longestLease else { throw leaseTooLong(time) }
        return RobotWeapon.Time(end: arrival + .milliseconds(time))
    }

    /// Switches the weapon off, because its lease is over. Driving continues.
    mutating func endWeapon(_ effects: inout Effects) {
        weapon.stop(&effects)
        guard buttons.weapon else { return }
        buttons.weapon = false
        effects.count("weapon_lease_ended")
        writeButtons(for: [], priority: .ahead, &effects)
    }
}

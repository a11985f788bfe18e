import Bluetooth
import DeviceKit

// The weapon: it runs for as long as its lease lasts, and at most as long as the configuration allows.
extension RobotMachine {
    /// Switches the weapon on for a time, or off.
    mutating func setWeapon(
        _ id: CommandID, _ asked: RobotFamily.SwitchCommand, _ effects: inout Effects
    ) throws(CommandError) {
        guard asked.isOn else {
            buttons.weapon = false
            endWeaponLease(&effects)
            return writeButtons(for: [id], priority: .ahead, &effects)
        }
        guard allowsWeapon else {
            throw CommandError(
                .notSupported, "the weapon is not allowed: the configuration's allow_weapon is off")
        }
        // The firmware judges the weapon against the power that it had before, so the power comes first.
        guard buttons.power else { throw CommandError(.wrongMode, powerAdvice) }
        let lease = try weaponLease(asked.duration, from: id.arrival ?? now)
        guard lease.end > now else {
            throw CommandError(.expired, "its time was over before it could be carried out")
        }
        weaponLease = lease
        watchWeapon(&effects)
        weapon.written()
        buttons.weapon = true
        writeButtons(for: [id], &effects)
    }

    private func weaponLease(
        _ time: Int?, from arrival: Duration
    ) throws(CommandError) -> RobotWeaponLease {
        guard let time else {
            return RobotWeaponLease(
                end: arrival + .milliseconds(min(Self.usualLease, longestLease)),
                limit: arrival + .milliseconds(longestLease))
        }
        guard time <= longestLease else { throw leaseTooLong(time) }
        return RobotWeaponLease(end: arrival + .milliseconds(time))
    }

    /// Sees to it that the weapon is switched off in time: its end moves with the drive commands.
    mutating func watchWeapon(_ effects: inout Effects) {
        guard let end = weaponLease?.end(driving: lease.end) else { return }
        weapon.hold(until: end)
        effects.startTimer(Self.weaponTimer, after: max(.zero, end - now))
    }

    /// The weapon's lease is over: it is switched off, and what drives goes on.
    mutating func endWeapon(_ effects: inout Effects) {
        endWeaponLease(&effects)
        guard buttons.weapon else { return }
        buttons.weapon = false
        effects.count("weapon_lease_ended")
        writeButtons(for: [], priority: .ahead, &effects)
    }

    /// Forgets the lease; what the guardian watches stays until the robot was told.
    mutating func endWeaponLease(_ effects: inout Effects) {
        weaponLease = nil
        weapon.release()
        effects.cancelTimer(Self.weaponTimer)
    }
}

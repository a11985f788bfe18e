import DeviceKit
import JSON

// The emergency stop: the robot is stopped first, then the stop is stored on disk.
extension RobotMachine {
    /// Sets the emergency stop, whether the robot is online or not.
    mutating func stopForEmergency(_ id: CommandID, _ effects: inout Effects) {
        latch.set(id, at: now)
        if phase == .online {
            stop(.emergencyStop, for: id, &effects)
        } else {
            note(.emergencyStop, &effects)
            // No write is needed while the robot is not online: every new connection starts with the power off. Only a
            // power command switches the power on, and a power command releases the emergency stop.
            latch.answer([id], .kept, &effects)
        }
        latch.keep(at: now, &effects)
    }

    /// Continues a power command that waited for the release of the emergency stop.
    mutating func released(_ release: RobotEmergencyLatch.Release, _ effects: inout Effects) {
        switch release {
        case .unchanged: break
        case .done: switchPowerOn(&effects)
        case .refused(let reason):
            let words =
                "the power stays off, because the release of the emergency stop cannot be stored: \(reason)"
            effects.remark(.warning, words)
            for id in power.takeRequests() { effects.answer(id, .failed(.internal, words)) }
        }
    }

    /// Handles the retained status that a bridge published. If the status reports an emergency stop, the stop is still
    /// set.
    mutating func recalled(_ status: JSON.Value, _ effects: inout Effects) {
        guard status[RobotFamily.status.names.said(\.isEmergencyStopSet)]?.bool == true, latch.recall() else {
            return
        }
        effects.remark(
            .warning,
            "the retained status shows that the emergency stop is set: it holds until power/set on")
        stop(.emergencyStop, &effects)
        latch.keep(at: now, &effects)
    }

    /// Switches the power on without a command, if this is configured, nothing blocks motion, no emergency stop is
    /// set, and the retained status is known.
    mutating func powerOnConnect(_ effects: inout Effects) {
        guard power.onConnect == .cleared, !latch.isRecalling, phase == .online else { return }
        power.onConnect = .no
        switch latch.state {
        case .latched: break
        case .unconfirmed: effects.remark(.warning, Self.unconfirmed)
        case .clear:
            power.request()
            switchPowerOn(&effects)
        }
    }

    private static let unconfirmed =
        "power_on_connect has no effect, because it is unknown whether an emergency stop was set: power/set on "
        + "confirms that there is none"

    /// Why the power is off, and how to switch it on.
    var powerAdvice: String {
        switch latch.state {
        case .latched: "the emergency stop is set; power/set on releases it"
        case .unconfirmed where settings.powersOnConnect: "the power is off; \(Self.unconfirmed)"
        case .unconfirmed, .clear: "the power is off: send power/set on"
        }
    }
}

import Bluetooth
import DeviceKit
import Logging

// A device that shows itself to be a keyboard or the like, and must not be one, is let go.
extension DeviceSession {
    /// What is needed of the link; a device that a person let in as an input device counts as one.
    var requirements: LinkRequirements {
        var requirements = family.requirements
        requirements.isInputDevice = inputs.isAllowed
        return requirements
    }

    /// Whether nothing is under way with the device.
    var isIdle: Bool {
        link == nil && [.searching, .error, .disconnected].contains(supervision.state)
    }

    /// Whether it shows itself to be an input device.
    var showsInput: Bool {
        inputs.services.union(link?.profile.services ?? []).union(lateServices).inputComplaint != nil
    }

    /// Whether a bond with it may have been made since it was heard first, or is being made.
    var leavesBond: Bool { inputs.isBondNew || inputs.hadBond == false && (inputs.wasReached || !isIdle) }

    /// Leaves a device alone whose advertisement is that of an input device already. One that the host is connected to
    /// is taken over instead, and then let go.
    ///
    /// - Returns: Whether it is left alone.
    func avoidsInputDevice() -> Bool {
        guard !inputs.isConnected, let refusal = inputs.refusal(inputs.services) else { return false }
        turnAway(refusal)
        return true
    }

    /// The host itself is connected to an input device that nobody let in: it is not left so for long.
    func hastenRemoval() {
        guard inputs.isConnected, inputs.refusal(inputs.services) != nil else { return }
        supervision.hasten(to: now + .seconds(2))
    }

    /// Takes the device for what it shows: an input device, whose link is closed already.
    func turnAway(_ refusal: DeviceFailure) {
        guard life == .open else { return }
        logFailure(.warning, "turned away", refusal.reason)
        supervision.failed(refusal, at: now)
        world.changed(.failed(refusal))
        proceed()
    }

    /// The host knows other services of the device by now.
    func found(_ services: Set<UUID>) {
        lateServices = services
        guard link != nil, let refusal = inputs.refusal(services) else { return }
        letGo(refusal)
    }

    /// Lets go of a link in good order because of what the device is: what moves is made safe first.
    func letGo(_ refusal: DeviceFailure) {
        guard life == .open, !isParting, !wantsDisconnect else { return }
        linked?.failure = refusal
        part()
    }
}

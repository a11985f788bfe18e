import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import JSON

// Conflicts between devices of two bridges that have the same name. Bridges publish the names of devices in their
// claims.
extension Bridge {
    /// Checks which other devices have the name of a new or renamed device. This bridge can own the device only after
    /// this check.
    func settleName(of session: DeviceSession) {
        let address = session.address
        spawn { bridge in
            guard let session = bridge.fleet[address] else { return }
            bridge.findRivals(of: session)
            if bridge.broker.subscriptions.isComplete, session.settleOwnership() { session.republish() }
        }
    }

    private func findRivals(of session: DeviceSession) {
        let rivals = holders.claims(onName: session.name, of: session.address, unlessOf: topics.bridge)
        for rival in rivals { session.heard(rival) }
    }

    /// Handles another bridge's claim on a device that has the same name as a device of this bridge.
    func heardName(of claim: Claim, on address: Address) {
        guard claim.bridge != topics.bridge, let name = claim.name, let session = fleet.session(named: name),
            session.address != address
        else { return }
        session.heard(NameRival(address: address, claim: claim))
    }

    /// Handles that the device with this address no longer has this name. A third device may still have the name.
    func nameLeft(_ name: String?, by address: Address) {
        guard let name, let session = fleet.session(named: name), session.address != address else { return }
        session.nameLeft(by: address)
        findRivals(of: session)
    }

    /// Reports that two connected, configured devices have one name.
    func nameShared(_ session: DeviceSession, with rival: NameRival) {
        let reason =
            "\(rival.address) on the bridge \(rival.claim.bridge) has the same name: both accept only stops until you "
            + "rename one in its configuration"
        reportEvent("device_failed", describe(session).adding("reason", .string(reason)))
    }
}

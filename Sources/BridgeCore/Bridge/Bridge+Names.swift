import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import JSON

// Which of several devices has a name: bridges publish it in their claims on devices.
extension Bridge {
    /// A device that is new, or has a new name, hears which other ones have that name, and may speak then.
    func settleName(of session: DeviceSession) {
        let address = session.address
        spawn { bridge in
            guard let session = bridge.fleet[address] else { return }
            bridge.findRivals(of: session)
            if bridge.broker.subscriptions.isComplete, session.settleOwnership() { session.speak() }
        }
    }

    private func findRivals(of session: DeviceSession) {
        let rivals = holders.claims(onName: session.name, of: session.address, unlessOf: topics.bridge)
        for rival in rivals { session.heard(rival) }
    }

    /// A bridge claims a device.
    func heardName(of claim: Claim, on address: Address) {
        guard claim.bridge != topics.bridge, let name = claim.name, let session = fleet.session(named: name),
            session.address != address
        else { return }
        session.heard(NameRival(address: address, claim: claim))
    }

    /// A device has a name no more; a third one may have it yet.
    func nameLeft(_ name: String?, by address: Address) {
        guard let name, let session = fleet.session(named: name), session.address != address else { return }
        session.nameLeft(by: address)
        findRivals(of: session)
    }

    /// Two connected, configured devices have one name.
    func nameShared(_ session: DeviceSession, with rival: NameRival) {
        let reason =
            "\(rival.address) at the bridge \(rival.claim.bridge) has this name too: both obey stops only until one is "
            + "given another name in its configuration"
        reportEvent("device_failed", describe(session).adding("reason", .string(reason)))
    }
}

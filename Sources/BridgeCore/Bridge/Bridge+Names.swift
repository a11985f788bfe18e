import Bluetooth
import BridgeContract
import Claims
import JSON
import Messages

// Which of several devices has a name. Bridges say it with their claims on devices; one of version 0.1.0 makes none, and
// says it on `<device>/connection`.
extension Bridge {
    /// A device that is new, or has a new name, hears which other ones have that name, and may speak then.
    func settleName(of session: DeviceSession) {
        let address = session.address
        spawn { bridge in
            guard let session = bridge.fleet[address] else { return }
            bridge.findRivals(of: session)
            let isComplete = bridge.broker.subscriptions.isComplete(of: address)
            if isComplete, session.settleOwnership() { session.speak() }
        }
    }

    private func findRivals(of session: DeviceSession) {
        let rivals = holders.claims(onName: session.name, of: session.address, unlessOf: topics.bridge)
        for (address, claim) in rivals { session.heard(NameClaim(claim, on: address)) }
    }

    /// A bridge claims a device.
    func heardName(of claim: Claim, on address: Address) {
        guard claim.bridge != topics.bridge, let name = claim.name, let session = fleet.session(named: name),
            session.address != address
        else { return }
        session.heard(NameClaim(claim, on: address))
    }

    /// A device has a name no more; a third one may have it yet.
    func nameLeft(_ name: String?, by address: Address) {
        guard let name, let session = fleet.session(named: name), session.address != address else { return }
        session.nameLeft(by: address)
        findRivals(of: session)
    }

    /// Two connected, configured devices have one name.
    func nameShared(_ session: DeviceSession, with claim: NameClaim) {
        let reason =
            "\(claim.address) at the bridge \(claim.bridge) has this name too: both obey stops only until one is "
            + "given another name in its configuration"
        reportEvent("device_failed", describe(session).adding("reason", .string(reason)))
    }

    // MARK: Bridges that make no claims

    /// What bridges say of a device on `<device>/connection`.
    func nameFilter(_ session: DeviceSession) -> TopicFilter {
        TopicFilter(topics.connection(session.name), qos: 0, tellsStored: true)
    }

    /// Subscribes to what bridges say on `<device>/connection` while one of them makes no claims, or may, and no longer: it
    /// takes a subscription for each device, and brings a message for each word.
    func hearNames() {
        guard broker.subscriptions.isComplete else { return }
        let isBlind = !broker.subscriptions.missing(of: peerFilters.map(\.filter)).isEmpty
        let isNeeded = isBlind || holders.isRefused || broker.peers.needNames
        guard isNeeded != broker.hearsNames else { return }
        broker.hearsNames = isNeeded
        for session in fleet.all {
            let filter = nameFilter(session)
            if isNeeded {
                askForClaims(on: session)
                world.broker.subscribe([filter])
            } else {
                broker.subscriptions.forgetClaims(on: session.address)
                unsubscribe([filter.filter], from: session.name)
            }
        }
    }

    /// What the broker has in store on `<device>/connection` is waited for, if it is heard.
    func askForClaims(on session: DeviceSession) {
        guard broker.status.isConnected, broker.hearsNames else { return }
        broker.subscriptions.askForClaims(on: session.address)
    }

    /// A bridge says something of a device on `<device>/connection`.
    func heard(connectionOf name: String, _ message: IncomingMessage) {
        guard let session = fleet.session(named: name),
            var claim = NameClaim(
                connection: message.payload, isStored: message.isRetained, unlessOf: topics.bridge),
            // Others say it with their claims.
            !broker.peers.claimsAddresses(claim.bridge)
        else { return }
        // It may have been said after the bridge came, and before this topic was subscribed for that.
        if broker.peers.isHeardLive(claim.bridge) { claim.isStored = false }
        session.heard(claim)
    }
}

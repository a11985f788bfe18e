import BridgeParts
import Claims
import DeviceKit

// Another bridge claims the Bluetooth connection that this bridge has. A read from the device decides which bridge is
// connected, because neither messages nor clocks can decide this.
extension DeviceSession {
    /// How long a device may take to answer a read.
    private static let answerTime = Duration.seconds(1)

    /// Proves the Bluetooth connection, because another bridge claims the device.
    func contestClaim() {
        guard let claim = ownership.contested, !(driver?.isProving ?? false) else { return }
        // Several bridges receive a device that only advertises, so that no answer proves anything.
        let onlyAdvertises = family.advertising != nil
        guard driver != nil || onlyAdvertises else { return }
        context.changed(.contested)
        let adapter = connector.linked?.adapter
        if onlyAdvertises || adapter.map({ context.sharesAdapter(claim, $0) }) ?? false {
            // The two bridges may share one Bluetooth connection. The bridge that connected later leaves the device to
            // the other bridge.
            if claim.isOlder(thanLinkOf: ownership.bridge, since: linkedSince.description) {
                return yieldDevice(to: claim, sharesLink: !onlyAdvertises)
            }
            return answerClaim()
        }
        askForProof()
    }

    /// The start of the Bluetooth connection, with which a contested claim is compared.
    var linkedSince: TimeStamp { status.heldSince }

    private func askForProof() {
        guard driver?.askForProof() == true else { return linkProved() }
        startTimer(.proof, at: now + Self.answerTime)
        advance()
    }

    func proofFailed() {
        guard let isAskedAgain = driver?.wantsProofAgain() else { return }
        guard !isAskedAgain else { return askForProof() }
        endProof()
        if let claim = ownership.contested { yieldDevice(to: claim, sharesLink: false) }
    }

    /// Handles that the device answered or sent a notification, which proves the Bluetooth connection.
    func linkProved() {
        guard driver?.isProving ?? false else { return }
        endProof()
        answerClaim()
    }

    private func answerClaim() {
        guard ownership.contested != nil else { return }
        react(publisher.ownership.proved(since: linkedSince.description, at: now))
    }

    func endProof() {
        driver?.endProof()
        clock.cancel(.proof)
    }
}

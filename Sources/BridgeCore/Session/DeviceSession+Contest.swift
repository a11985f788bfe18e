import BridgeParts
import Claims
import DeviceKit

// Another bridge claims to have the Bluetooth connection that this bridge has. Neither messages nor clocks can decide
// which bridge is connected. So this bridge reads a characteristic: an answer proves its own connection.
extension DeviceSession {
    /// How long the device may take to answer the read that proves the connection.
    private static let answerTime = Duration.seconds(1)

    /// Finds out whether this bridge is still connected, because another bridge claims the device.
    func contestClaim() {
        guard let claim = ownership.contested, !(driver?.isProving ?? false) else { return }
        // Several bridges can receive a device that only advertises, or visit a device. An answer would not prove which
        // of them has the device.
        let isShared = family.advertising != nil || visiting != nil
        guard driver != nil || isShared else { return }
        context.changed(.contested)
        let adapter = connector.linked?.adapter
        if isShared || adapter.map({ context.sharesAdapter(claim, $0) }) ?? false {
            // Two bridges on one host may share one Bluetooth connection, so a read proves nothing. The bridge that
            // connected later leaves the device to the other bridge.
            if claim.isOlder(thanLinkOf: ownership.bridge, since: linkedSince.description) {
                return yieldDevice(to: claim, sharesLink: !isShared)
            }
            return answerClaim()
        }
        askForProof()
    }

    /// When the Bluetooth connection was established. A contested claim of another bridge is compared with this time.
    var linkedSince: TimeStamp { status.heldSince }

    func askForProof() {
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

    /// Handles that the device answered or sent a notification, which proves that this bridge is connected.
    func linkProved() {
        guard driver?.isProving ?? false else { return }
        endProof()
        if ownership.contested == nil { provedOnAir() } else { answerClaim() }
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

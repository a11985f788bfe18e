import BridgeParts
import Claims
import DeviceKit

// Another bridge claims the link that this one has. Neither words nor clocks decide: the device is asked.
extension DeviceSession {
    /// How long a device may take to answer a read.
    private static let answerTime = Duration.seconds(1)

    /// Another bridge says that it has the device: the link must prove itself.
    func contestClaim() {
        guard let claim = ownership.contested, let driver, !driver.isProving else { return }
        world.changed(.contested)
        if let adapter = connector.linked?.adapter, world.sharesAdapter(claim, adapter) {
            // There is one link, and both use it. The bridge that came later leaves it to the other one.
            if claim.isOlder(thanLinkOf: ownership.bridge, since: linkedSince.description) {
                return letGo(to: claim, sharesLink: true)
            }
            return answerClaim()
        }
        askForProof()
    }

    /// Since when the link is there that another bridge may contest.
    var linkedSince: TimeStamp { status.heldSince }

    private func askForProof() {
        guard driver?.askForProof() == true else { return linkProved() }
        startTimer(.proof, at: now + Self.answerTime)
        advance()
    }

    /// The device did not answer.
    func proofFailed() {
        guard let isAskedAgain = driver?.wantsProofAgain() else { return }
        guard !isAskedAgain else { return askForProof() }
        endProof()
        if let claim = ownership.contested { letGo(to: claim, sharesLink: false) }
    }

    /// The device has answered, or said something by itself.
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

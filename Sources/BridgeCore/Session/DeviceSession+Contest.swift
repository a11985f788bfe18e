import DeviceKit

// Another bridge claims the link that this one has. Neither words nor clocks decide: the device is asked.
extension DeviceSession {
    /// How long a device may take to answer a read.
    private static let answerTime = Duration.seconds(1)

    /// Another bridge says that it has the device: the link must prove itself.
    func contestClaim() {
        guard let claim = ownership.rival, let driver, !driver.isProving else { return }
        if let adapter = connector.linked?.adapter, world.sharesAdapter(claim, adapter) {
            // There is one link, and both use it. The bridge that came later leaves it to the other one.
            if isYounger(than: claim) { return letGo(to: claim, sharesLink: true) }
            publisher.ownership.answered()
            return republishAgain()
        }
        askForProof()
    }

    private func isYounger(than claim: Claim) -> Bool {
        claim.isOlder(thanLinkOf: ownership.bridge, since: status.since.description)
    }

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
        if let claim = ownership.rival { letGo(to: claim, sharesLink: false) }
    }

    /// The device has answered, or said something by itself.
    func linkProved() {
        guard driver?.isProving ?? false else { return }
        endProof()
        guard let claim = ownership.rival, let verdict = publisher.answerClaim(at: now) else { return }
        switch verdict {
        case .compareAge where isYounger(than: claim): letGo(to: claim, sharesLink: false)
        case .say, .compareAge: republishAgain()
        }
    }

    func endProof() {
        driver?.endProof()
        clock.cancel(.proof)
    }
}

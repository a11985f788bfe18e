import Bluetooth
import DeviceKit
import Logging

// Another bridge claims the link that this one has. Neither words nor clocks decide: the device is asked.
extension DeviceSession {
    /// A proof that the link is there: the device answers.
    struct LinkProof: Sendable {
        /// Which attempt it is, among all of the session's links.
        var number: Int
        /// How often it was tried.
        var attempts = 1
    }

    /// How long a device may take to answer a read.
    private static let answerTime = Duration.seconds(1)
    /// How often it is asked.
    private static let attempts = 2

    /// Another bridge says that it has the device: the link must prove itself.
    func contestClaim() {
        guard let claim = ownership.rival, link != nil, linked?.proof == nil else { return }
        if let adapter, world.sharesAdapter(claim, adapter) {
            // There is one link, and both use it. The bridge that came later leaves it to the other one.
            if isYounger(than: claim) { return letGo(to: claim, closesLink: false) }
            publisher.ownership.answered()
            return republishAgain()
        }
        beginProof(attempt: 1)
    }

    private func isYounger(than claim: Claim) -> Bool {
        claim.isOlder(thanLinkOf: ownership.bridge, since: status.since.description)
    }

    private func beginProof(attempt: Int) {
        guard let link else { return }
        proofCount += 1
        let number = proofCount
        linked?.proof = LinkProof(number: number, attempts: attempt)
        let readable = link.profile.characteristics.filter { $0.value.contains(.read) }.keys
        guard let id = readable.min(by: { $0.description < $1.description }) else {
            // There is nothing to ask it; as far as the host knows it is connected.
            return linkProved()
        }
        startTimer(.proof, at: now + Self.answerTime)
        link.perform(.read(id)) {
            true
        } then: { [enter = world.enter] result in
            enter { session in session.spawn { $0.read(result, forProof: number) } }
        }
    }

    private func read(_ result: Result<[UInt8], OperationError>, forProof number: Int) {
        guard linked?.proof?.number == number else { return }
        if case .failure(let error) = result, !error.isAnswer { return proofTimedOut() }
        linkProved()
    }

    /// The device did not answer.
    func proofTimedOut() {
        guard let proof = linked?.proof else { return }
        guard proof.attempts >= Self.attempts else { return beginProof(attempt: proof.attempts + 1) }
        endProof()
        guard let claim = ownership.rival else { return }
        letGo(to: claim, closesLink: true)
    }

    /// The device has answered, or said something by itself.
    func linkProved() {
        guard linked?.proof != nil else { return }
        endProof()
        guard let claim = ownership.rival, let verdict = publisher.answerClaim(at: now) else { return }
        switch verdict {
        case .compareAge where isYounger(than: claim): letGo(to: claim, closesLink: true)
        case .say, .compareAge: republishAgain()
        }
    }

    func endProof() {
        linked?.proof = nil
        clock.cancel(.proof)
    }

    /// Leaves the device to another bridge: it is made safe first, then its link is closed.
    ///
    /// - Parameter closesLink: Whether to close it; not where the other bridge uses the same one.
    private func letGo(to claim: Claim, closesLink: Bool) {
        logger.warning(
            "the device is let go, since another bridge has it", metadata: ["bridge": "\(claim.bridge)"])
        _ = publisher.ownership.yield()
        fallSilent()
        linked?.successor = claim.bridge
        linked?.staysForSuccessor = !closesLink
        guard link != nil, !isParting, !wantsDisconnect, life == .open else { return }
        part()
    }
}

extension OperationError {
    /// Whether it is the device that refused: then it is there.
    fileprivate var isAnswer: Bool {
        switch code {
        case .notPermitted, .notSupported, .invalidLength: true
        case .timeout, .disconnected, .failed: false
        }
    }
}

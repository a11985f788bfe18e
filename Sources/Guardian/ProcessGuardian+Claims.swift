import BlueZ
import EventLoop

// The adapters that the bridge uses: the guardian process waits behind the bridge in the queues for the adapters' bus
// names.
extension ProcessGuardian: LeaseSuccessor {
    /// How long the process may take to join or leave a queue. If the process hangs, the heartbeat replaces it.
    private static let claimTime = Duration.seconds(2)

    func queue(for name: String, sign: String) async -> Bool {
        claims[name] = sign
        tellClaim(name)
        return await wait(Self.claimTime) { $0.queued.contains(name) }
    }

    func leave(_ name: String) async {
        guard claims.removeValue(forKey: name) != nil else { return }
        queued.remove(name)
        left.remove(name)
        tellClaim(name)
        _ = await wait(Self.claimTime) { $0.left.contains(name) || $0.process == nil }
    }

    private func tellClaim(_ name: String) {
        guard !isEnding, process != nil else { return }
        if !untoldClaims.contains(name) { untoldClaims.append(name) }
        send()
    }

    /// Returns the message that informs the process whether the bridge owns an adapter's name.
    func claimMessage(of name: String) -> GuardianMessage {
        claims[name].map { .claim(name: name, sign: $0) } ?? .unclaim(name: name)
    }
}

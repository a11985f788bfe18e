import BlueZ
import EventLoop

// The adapters that the bridge uses: the process stands behind it in the queues for their names.
extension ProcessGuardian: LeaseSuccessor {
    /// How long the process may take for its place; what hangs longer is replaced by its heartbeat.
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

    /// What the process is to know of a name.
    func claimMessage(of name: String) -> GuardianMessage {
        claims[name].map { .claim(name: name, sign: $0) } ?? .unclaim(name: name)
    }
}

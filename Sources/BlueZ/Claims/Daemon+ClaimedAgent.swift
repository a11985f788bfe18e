import DBus

// The pairing agent of a program that may have no adapter.
extension Daemon {
    /// Registers the pairing agent, once, unless this program answers none: it answers for the whole host, so a
    /// program that only waits for adapters has none.
    func takeAgent() {
        guard settings.answersPairing, isServing, !hasAgent else { return }
        hasAgent = true
        registerAgent()
    }

    /// Lets the agent go, since every adapter is another program's.
    func leaveAgent() {
        guard hasAgent else { return }
        hasAgent = false
        start(
            "UnregisterAgent", of: Names.agentManager, at: "/org/bluez", [.objectPath(settings.agentPath)],
            limit: limits.question, subject: "agent"
        ) { _, _ in }
    }
}

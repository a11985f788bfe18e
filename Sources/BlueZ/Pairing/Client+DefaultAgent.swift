import Bluetooth
import DBus
import Logging

/// The registration of the pairing agent with bluetoothd. The state changes when a call is sent, without waiting for
/// its answer.
enum AgentState: Hashable, Sendable {
    case unregistered
    /// A call failed; the agent is registered again after a delay.
    case failing
    /// bluetoothd asks the agent about bonds that this program requests.
    case registered
    /// The agent is also the default agent: bluetoothd asks it about bonds that no program requested.
    case standing
}

// Decides when the pairing agent is the default agent of the host, for devices that start bonding themselves.
//
// A host has one default agent for all adapters. Other programs may need to be the default agent, such as a desktop or
// `bluetoothctl` while a user pairs a phone. So this agent becomes the default agent only while a device of the bridge
// may start bonding without a call of `Pair`: by a security request, by an encrypted value, or through bluetoothd's own
// plugins.
extension Client {
    /// Whether a device may start bonding itself: a device that is being connected or bonded and not yet ready, or a
    /// device whose bond was lost during its link.
    ///
    /// During `Pair` bluetoothd asks the caller's agent about the bond, and the default agent only about services. A
    /// program that may use only some adapters does not become the default agent during `Pair`. If two adapters of the
    /// host bond with each other, the other adapter may belong to another program, whose agent must then be the default
    /// agent.
    private var awaitsBonding: Bool {
        settings.adapters.isEmpty && pairing.values.contains(where: \.mayBond) || connects.mayBond
            || links.mayBond
    }

    /// Records that the device of a link is ready.
    func settle(link number: UInt64) {
        guard let link = links[number: number] else { return }
        link.isSettled = true
        links.update(link, isPaired: tree.devices[link.device]?.isPaired)
        updateAgent()
    }

    /// Records that a device with a link was bonded, or that its bond was lost.
    func bondChanged(_ link: LinkState, isPaired: Bool) {
        if isPaired { link.wasPaired = true }
        links.update(link, isPaired: isPaired)
        updateAgent()
    }

    /// Updates the agent's registration with bluetoothd as needed.
    ///
    /// bluetoothd handles the calls of one program in order, so the next caller does not need to wait for these calls.
    func updateAgent() {
        guard settings.answersPairing, isServing else { return }
        // An agent answers for the whole host, so a program that only waits for adapters registers no agent.
        let mayAnswer = settings.leases == nil || !adapters.usable.isEmpty
        switch agentState {
        case .registered where !mayAnswer, .standing where !mayAnswer:
            changeAgent([("UnregisterAgent", [path])], to: .unregistered)
        case .unregistered where !mayAnswer: break
        case .unregistered: changeAgent([registration], to: .registered)
        case .registered where awaitsBonding: changeAgent([("RequestDefaultAgent", [path])], to: .standing)
        // BlueZ has no call by which an agent stops being the default agent, so the agent has to be unregistered.
        case .standing where !awaitsBonding:
            changeAgent([("UnregisterAgent", [path]), registration], to: .registered)
        case .failing, .registered, .standing: break
        }
    }

    private var path: Value { .objectPath(settings.agentPath) }
    private var registration: (String, [Value]) {
        ("RegisterAgent", [path, .string(settings.agentCapability)])
    }

    private func changeAgent(_ calls: [(member: String, arguments: [Value])], to state: AgentState) {
        agentState = state
        let life = life
        for call in calls {
            start(
                call.member, of: Names.agentManager, at: "/org/bluez", call.arguments, limit: limits.question,
                subject: "agent"
            ) { client, result in
                guard client.life == life, case .failure(let error) = result, error.code != .alreadyDone
                else {
                    return
                }
                client.agentFailed(call.member, error)
            }
        }
        updateAgent()
    }

    /// Registers the agent again after a delay. After a restart of bluetoothd, its `AgentManager1` may appear later
    /// than its adapters.
    private func agentFailed(_ member: String, _ error: BlueZError) {
        guard member != "UnregisterAgent", agentState != .failing else { return }
        logger.log(
            level: member == "RegisterAgent" ? .debug : .warning,
            "the pairing agent is not registered yet; retrying",
            metadata: ["call": "\(member)", "reason": "\(error)"])
        let life = life
        agentState = .failing
        retryLater {
            guard $0.life == life else { return }
            $0.agentState = .unregistered
            $0.updateAgent()
        }
    }
}

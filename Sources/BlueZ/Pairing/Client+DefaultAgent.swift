import Bluetooth
import DBus
import Logging

/// How far the pairing agent is known to bluetoothd once it has carried out what it was asked so far.
enum AgentState: Hashable, Sendable {
    /// Not at all.
    case unregistered
    /// A call about it failed; it is registered anew after a while.
    case failing
    /// It is asked about what this program bonds with.
    case registered
    /// It is also asked about what no program asked for.
    case standing
}

// When the agent answers for devices that begin to bond by themselves.
//
// A host has one default agent for all adapters, and others may want to be it: a desktop's, or that of a user
// who pairs a telephone. So this one asks to be it only while a device of the bridge may begin to bond
// without a call of `Pair`: by a security request, by an encrypted value, or through bluetoothd's own
// plugins.
extension Client {
    /// Whether a device may begin to bond by itself now: one that is being connected or bonded and not ready
    /// so far, or one whose bond went while its link lasted.
    ///
    /// While `Pair` is under way bluetoothd asks the caller's agent about the bond, and the default one about
    /// services alone. A program that is held to some adapters leaves these to others: the other end of the
    /// bond may be on an adapter of theirs, and bluetoothd asks the default agent about that.
    private var awaitsBonding: Bool {
        settings.adapters.isEmpty && pairing.values.contains(where: \.mayBond) || connects.mayBond
            || links.mayBond
    }

    /// The device of a link can be used.
    func settle(link number: UInt64) {
        guard let link = links[number: number] else { return }
        link.isSettled = true
        links.update(link, isPaired: tree.devices[link.device]?.isPaired)
        updateAgent()
    }

    /// A device with a link was bonded, or its bond is gone.
    func bondChanged(_ link: LinkState, isPaired: Bool) {
        if isPaired { link.wasPaired = true }
        links.update(link, isPaired: isPaired)
        updateAgent()
    }

    /// Makes the agent known to bluetoothd as far as it is needed now.
    ///
    /// bluetoothd takes calls of one program in their order, so the next caller need not wait for these.
    func updateAgent() {
        guard settings.answersPairing, isServing else { return }
        // It answers for the whole host: a program that only waits for adapters has none.
        let mayAnswer = settings.leases == nil || !adapters.usable.isEmpty
        switch agentState {
        case .registered where !mayAnswer, .standing where !mayAnswer:
            changeAgent([("UnregisterAgent", [path])], to: .unregistered)
        case .unregistered where !mayAnswer: break
        case .unregistered: changeAgent([registration], to: .registered)
        case .registered where awaitsBonding: changeAgent([("RequestDefaultAgent", [path])], to: .standing)
        // There is no call that gives the place of the default agent back.
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

    /// A call about the agent failed. After a restart of bluetoothd its managers come later than its
    /// adapters, so it is registered anew after a while.
    private func agentFailed(_ member: String, _ error: BlueZError) {
        guard member != "UnregisterAgent", agentState != .failing else { return }
        logger.log(
            level: member == "RegisterAgent" ? .debug : .warning,
            "the pairing agent is not known as it should be yet",
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

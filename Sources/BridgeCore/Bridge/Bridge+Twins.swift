import BridgeContract
import BridgeParts
import DeviceKit
import Logging
import Messages

/// Says why a bridge ended by itself: another process runs with its id.
public struct BridgeWithdrawal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, and what to do.
    public var description: String
}

// Another process with this bridge's id: the one that was started later ends.
extension Bridge {
    /// How long the answer to the first echo may take. Until then nothing is published.
    private static let answerTime = Duration.milliseconds(250)
    /// How long the first echo may take: where the broker keeps echoes from the bridge, other processes stay unknown.
    private static let echoTime = Duration.seconds(2)
    /// The longest message between processes, in bytes.
    static let twinMessageLimit = 512

    /// Publishes nothing until it is known whether another process has this id.
    func holdBack() { world.broker.holdBack(true) }

    /// The connection to the broker is new.
    func lookForTwin() {
        twins.connected()
        if !twins.isEstablished { startTimer(.twin, at: world.time.now + Self.echoTime) }
    }

    /// An echo came back: other processes have received it too.
    func twinsHaveEcho() {
        guard twins.echoReturned(), !twins.isEstablished else { return }
        startTimer(.twin, at: world.time.now + Self.answerTime)
    }

    /// No other process has answered in time; or one that publishes too has to answer once more.
    func twinTimeIsOver() {
        guard broker.status.isConnected, !isStopping else { return }
        guard !twins.isEstablished else { return sendEcho() }
        twins.establish()
        world.broker.holdBack(false)
        // Another process may have started at the same time, and must know now that this one publishes.
        sendEcho()
    }

    /// A message came on the topic of the echoes that is no echo of this connection.
    func heard(fromTwin text: String) {
        guard !isStopping, withdrawal == nil else { return }
        switch twins.heard(text, at: world.time.now, isOwnEcho: broker.echoes.isOwn) {
        case .nothing: break
        case .answer(let message): world.broker.probe(topics.own("echo"), payload: message) { _ in }
        case .ask: startTimer(.twin, at: world.time.now + TwinWatch.proofTime)
        case .yield(let twin): withdraw(for: twin)
        }
    }

    /// Ends this process, without a word on the topics that the other one publishes.
    private func withdraw(for twin: TwinWatch.Twin) {
        let reason =
            "a bridge with the id \(settings.id) runs already, on the host \(twin.host) since \(twin.started): give each "
            + "bridge on a broker its own bridge.id"
        logger.error(
            "another bridge has this bridge's id; this one, which was started later, ends",
            metadata: ["bridge": "\(settings.id)", "host": "\(twin.host)", "started": "\(twin.started)"])
        world.broker.holdBack(true)
        withdrawal = BridgeWithdrawal(description: reason)
        spawn { await $0.stop() }
    }
}

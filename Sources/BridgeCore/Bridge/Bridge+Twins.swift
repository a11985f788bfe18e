import BridgeContract
import BridgeParts
import DeviceKit
import Logging
import Messages

/// The error of a bridge that stops because another process runs with its id.
public struct BridgeWithdrawal: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why the bridge stops, and what the user can do.
    public var description: String
}

// Detection of another process with this bridge's id. The process that started later stops.
extension Bridge {
    /// How long the bridge waits for an answer to its first echo. During this wait, the bridge publishes nothing.
    private static let answerTime = Duration.milliseconds(250)
    /// How long the bridge waits for its first echo. If the broker withholds echoes, other processes stay undetected.
    private static let echoTime = Duration.seconds(2)
    /// The longest message between processes, in bytes.
    static let twinMessageLimit = 512

    /// Holds back all messages until it is known whether another process has this id.
    func holdBack() { ports.broker.holdBack(true) }

    func lookForTwin() {
        twins.connected()
        if !twins.isEstablished { startTimer(.twin, at: ports.time.now + Self.echoTime) }
    }

    /// Handles an echo that returned from the broker. Other processes with this bridge's id have received the echo too.
    func twinsHaveEcho() {
        guard twins.echoReturned(), !twins.isEstablished else { return }
        startTimer(.twin, at: ports.time.now + Self.answerTime)
    }

    /// Starts publishing, because no other process answered in time. If the bridge already publishes, sends another
    /// echo, which the other process must answer.
    func twinTimeIsOver() {
        guard broker.status.isConnected, !isStopping else { return }
        guard !twins.isEstablished else { return sendEcho() }
        twins.establish()
        ports.broker.holdBack(false)
        // Another process may have started at the same time. The echo informs the other process that this process
        // publishes.
        sendEcho()
    }

    /// Handles a message on the echo topic that is no echo of this broker connection: another process may have sent it.
    func heard(fromTwin text: String) {
        guard !isStopping, withdrawal == nil else { return }
        switch twins.heard(text, at: ports.time.now, isOwnEcho: broker.echoes.isOwn) {
        case .nothing: break
        case .answer(let message): ports.broker.probe(topics.own("echo"), payload: message) { _ in }
        case .ask: startTimer(.twin, at: ports.time.now + TwinWatch.proofTime)
        case .yield(let twin): withdraw(for: twin)
        }
    }

    /// Stops this process, because another process has this bridge's id. Nothing more is published, since the topics
    /// belong to the other process.
    private func withdraw(for twin: TwinWatch.Twin) {
        let reason =
            "a bridge with the id \(settings.id) has been running on the host \(twin.host) since "
            + "\(twin.started): give each bridge on a broker its own bridge.id"
        logger.error(
            "another bridge has the same id; this bridge started later and exits",
            metadata: ["bridge": "\(settings.id)", "host": "\(twin.host)", "started": "\(twin.started)"])
        ports.broker.holdBack(true)
        withdrawal = BridgeWithdrawal(description: reason)
        spawn { await $0.stop() }
    }
}

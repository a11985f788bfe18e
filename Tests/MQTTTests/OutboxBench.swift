import Messages

@testable import MQTT

/// An outbox with a simulated broker.
final class OutboxBench {
    var outbox: Outbox
    /// The packet identifier of the last sent message.
    private(set) var last: CInt = 0

    /// - Parameter window: The maximum number of unacknowledged messages; nil without a connection.
    init(limits: Configuration.Limits = .init(), window: Int? = 100, hasOthers: Bool = false) {
        outbox = Outbox(limits: limits, hasOthers: hasOthers)
        if let window { connect(window: window) }
    }

    func connect(window: Int = 100, at time: Duration = .zero, isElsewhere: Bool = false) {
        outbox.connected(window: window, at: time, isElsewhere: isElsewhere)
    }

    @discardableResult
    func disconnect(_ cause: TopicSuspicion.Cause = .other, at time: Duration = .zero)
        -> Outbox.DisconnectOutcome
    {
        outbox.disconnected(cause, at: time)
    }

    /// - Returns: Whether all messages were accepted.
    @discardableResult
    func publish(_ messages: OutgoingMessage...) -> Bool {
        messages.map { outbox.enqueue($0, at: .zero) }.allSatisfy(\.self)
    }

    /// Sends all allowed messages and returns each as `topic=payload`, with `!` for QoS 1 and `r` for retained.
    func sent() -> [String] {
        var sent: [String] = []
        while let delivery = outbox.next() {
            last += 1
            outbox.handedOver(delivery, as: last, at: .zero)
            let mark = delivery.qos == 1 ? (delivery.retain ? "!r" : "!") : ""
            sent.append("\(delivery.topic)=\(String(decoding: delivery.payload, as: UTF8.self))\(mark)")
        }
        return sent
    }

    /// Acknowledges packets; without arguments, the last sent packet.
    @discardableResult
    func acknowledge(
        _ packets: CInt..., isRefusal: Bool = false, at time: Duration = .zero
    ) -> [Outbox.Acknowledgement?] {
        (packets.isEmpty ? [last] : packets).map { outbox.acknowledged($0, isRefusal: isRefusal, at: time) }
    }
}

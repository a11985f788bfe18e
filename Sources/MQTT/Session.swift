import EventLoop

/// An accepted connection with its timers and requests; belongs to the loop's thread.
final class Session {
    /// The state of probes, the messages that measure the latency to the broker.
    struct Probes {
        /// The time at which a probe was last requested.
        var last: Duration?
        /// The probe that waits until the socket has accepted everything before it.
        var waiting: Probe?
        /// Called when the probe that was passed to the library is in the socket.
        var sent: (@Sendable (Duration) -> Void)?
    }

    /// The state of a reconnect that first reads everything that the broker has sent.
    struct Renewal {
        /// The identifier of the UNSUBSCRIBE packet whose acknowledgement follows everything that the broker sent
        /// before.
        var marker: CInt
        /// Whether messages with QoS 1 or 2 arrived since the last UNSUBSCRIBE. The broker queues such messages, so
        /// more may follow, and the client sends another UNSUBSCRIBE.
        var foundQueue = false
        let timer: LoopTimer
    }

    let connection: Connection
    let since: Duration
    /// The time at which the connection was last maintained; due once a second.
    var tickedAt: Duration
    var ticker: LoopTimer?
    var probes = Probes()
    var renewal: Renewal?
    /// The identifier of the packet whose acknowledgement proves that the broker has read everything before it.
    var question: CInt?
    /// The timer that runs until the next retry of a refused subscription.
    var retryTimer: LoopTimer?
    /// The retained topics that other clients have overwritten, with the times at which they are published again.
    var overwritten = OverwrittenTopics()
    var restoreTimer: LoopTimer?
    private var reportedRefusals: Set<String> = []
    private static let reportedRefusalLimit = 1_000

    init(_ connection: Connection, since: Duration) {
        self.connection = connection
        (self.since, tickedAt) = (since, since)
    }

    /// Records a refused message.
    ///
    /// - Returns: Whether it is the first refusal on its topic: a broker that forbids a topic refuses all its messages.
    func isNewRefusal(of topic: String) -> Bool {
        reportedRefusals.count < Self.reportedRefusalLimit && reportedRefusals.insert(topic).inserted
    }

    func end() {
        for timer in [ticker, renewal?.timer, retryTimer, restoreTimer] { timer?.cancel() }
    }
}

/// A message that measures the round trip to the broker.
struct Probe: Sendable {
    let topic: String
    let payload: [UInt8]
    /// Called with the time at which the message is passed to the socket.
    let sent: @Sendable (Duration) -> Void
}

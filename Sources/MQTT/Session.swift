import EventLoop

/// A connection that the broker has accepted, with all that ends with it; belongs to the loop's thread.
final class Session {
    /// The messages by which the path to the broker is measured.
    struct Probes {
        /// When one was requested last.
        var last: Duration?
        /// The one that waits for the socket to take what was handed over before.
        var waiting: Probe?
        /// Called when the one that was handed over is in the socket.
        var sent: (@Sendable (Duration) -> Void)?
    }

    /// A connection that is read to its end before it is left.
    struct Renewal {
        /// The packet whose acknowledgement follows all that was sent before it.
        var marker: CInt
        /// Whether messages came that the broker queues, so that more of them may follow.
        var foundQueue = false
        let timer: LoopTimer
    }

    let connection: Connection
    let since: Duration
    /// When the connection was looked after last.
    var tickedAt: Duration
    var ticker: LoopTimer?
    var probes = Probes()
    var renewal: Renewal?
    /// The packet that asks whether the broker has read all that was sent before.
    var question: CInt?
    /// Runs until the next refused subscription is tried again.
    var retryTimer: LoopTimer?
    /// The retained topics that other clients have overwritten, and the time until they are published again.
    var overwritten = OverwrittenTopics()
    var restoreTimer: LoopTimer?
    private var reportedRefusals: Set<String> = []
    private static let reportedRefusalLimit = 1_000

    init(_ connection: Connection, since: Duration) {
        self.connection = connection
        (self.since, tickedAt) = (since, since)
    }

    /// Notes that the broker refused a message.
    ///
    /// - Returns: Whether it is the first on its topic: a broker that forbids a topic forbids each of its values.
    func isNewRefusal(of topic: String) -> Bool {
        reportedRefusals.count < Self.reportedRefusalLimit && reportedRefusals.insert(topic).inserted
    }

    /// Stops all timers.
    func end() {
        for timer in [ticker, renewal?.timer, retryTimer, restoreTimer] { timer?.cancel() }
    }
}

/// A message by which the path to the broker and back is measured.
struct Probe: Sendable {
    let topic: String
    let payload: [UInt8]
    /// Called when it is handed to the socket.
    let sent: @Sendable (Duration) -> Void
}

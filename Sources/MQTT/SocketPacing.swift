/// Decides which packets leave together, and when the kernel acknowledges what was read: each segment by itself costs
/// both sides a wake-up.
struct SocketPacing {
    /// How close messages are whose acknowledgements wait for each other, and how long these wait.
    static let patience = Duration.milliseconds(2)
    /// How many acknowledgements are company enough, and the length of one in bytes.
    static let company = 3, acknowledgementSize = 4

    /// Whether the kernel has not acknowledged what was read.
    var owesAcknowledgement = false
    /// Whether the kernel keeps what is written until the end of the round.
    private var isCorked = false
    /// The round of the loop in which something was written last.
    private var lastRound: UInt64 = 0
    /// When a message was written last.
    private var lastMessage: Duration?

    /// Whether what is written from now on is to leave at the end of the round: the library writes each packet by
    /// itself, and to send one costs the kernel several times what it costs to keep it.
    ///
    /// The first packet of a round leaves at once, so that nothing is delayed that comes alone.
    ///
    /// - Parameter messages: How many messages are about to be written.
    mutating func corks(_ messages: Int, round: UInt64) -> Bool {
        guard !isCorked else { return false }
        let isFirst = lastRound != round
        lastRound = round
        isCorked = messages > 1 || !isFirst
        return isCorked
    }

    /// Notes the end of the round.
    mutating func uncorked() { isCorked = false }

    /// Whether the acknowledgements of messages that were written have others near them. Where messages are far apart,
    /// to wait for one costs more than to be woken by it.
    mutating func expectsCompany(_ messages: Int, at now: Duration) -> Bool {
        guard messages > 0 else { return false }
        let former = lastMessage
        lastMessage = now
        return messages >= Self.company || former.map { now - $0 < Self.patience } ?? false
    }

    /// Notes what was read.
    ///
    /// Where nothing but acknowledgements came while there is time for company, the next message that we send carries
    /// the kernel's with it, which spares a packet for each message of many.
    mutating func read(onlyAcknowledgements: Bool, isPatient: Bool) {
        if !onlyAcknowledgements || !isPatient { owesAcknowledgement = true }
    }
}

/// What the library writes, and what it reports of it.
struct WriteTracker {
    /// When the write under way was begun: what the library reports meanwhile was written, and is no acknowledgement.
    var began: Duration?
    /// The packet of the probe that the library has.
    var probe: CInt?
    private var streams = 0

    /// Notes that the library wrote a message of QoS 0.
    ///
    /// - Returns: Whether it is the probe.
    mutating func wrote(_ identifier: CInt) -> Bool {
        guard identifier == probe else {
            streams += 1
            return false
        }
        probe = nil
        return true
    }

    /// Takes the number of messages of QoS 0 that were written since the last time.
    mutating func takeStreams() -> Int {
        defer { streams = 0 }
        return streams
    }
}

/// Decides which packets are sent together, and when the kernel acknowledges received data: each separate TCP segment
/// wakes up both sides.
struct SocketPacing {
    /// The maximum interval between messages whose acknowledgements are collected, and the maximum delay of those
    /// acknowledgements.
    static let patience = Duration.milliseconds(2)
    /// The number of MQTT acknowledgements (PUBACK) to collect, and the length of one of them in bytes.
    static let company = 3, acknowledgementSize = 4

    /// Whether received data still needs a TCP acknowledgement of the kernel.
    var owesAcknowledgement = false
    /// Whether the kernel holds written data back until the end of the round.
    private var isCorked = false
    /// The number of the loop's round with the last write.
    private var lastRound: UInt64 = 0
    /// The time at which a message was last written.
    private var lastMessage: Duration?

    /// Whether written data is held back until the end of the round. The library writes each packet separately, and
    /// sending a packet costs the kernel several times as much as holding it back.
    ///
    /// The first packet of a round is sent immediately, so that a single packet is not delayed.
    ///
    /// - Parameter messages: The number of messages about to be written.
    mutating func corks(_ messages: Int, round: UInt64) -> Bool {
        guard !isCorked else { return false }
        let isFirst = lastRound != round
        lastRound = round
        isCorked = messages > 1 || !isFirst
        return isCorked
    }

    /// Records the end of the round, at which the kernel sends the held data.
    mutating func uncorked() { isCorked = false }

    /// Whether the acknowledgements of written messages will arrive close together. If messages are far apart, waiting
    /// for another acknowledgement costs more than a wake-up.
    mutating func expectsCompany(_ messages: Int, at now: Duration) -> Bool {
        guard messages > 0 else { return false }
        let former = lastMessage
        lastMessage = now
        return messages >= Self.company || former.map { now - $0 < Self.patience } ?? false
    }

    /// Records received data.
    ///
    /// If only MQTT acknowledgements arrived while more of them are being collected, the kernel does not need to
    /// acknowledge immediately: the next outgoing message carries the TCP acknowledgement. With many messages this
    /// saves a packet per message.
    mutating func read(onlyAcknowledgements: Bool, isPatient: Bool) {
        if !onlyAcknowledgements || !isPatient { owesAcknowledgement = true }
    }
}

/// Tracks the library's writes and its reports about them.
struct WriteTracker {
    /// The time at which the current write started; nil outside of writes. If the library reports a message during a
    /// write, it was sent, not acknowledged.
    var began: Duration?
    /// The packet identifier of the probe that the library holds.
    var probe: CInt?
    private var streams = 0

    /// Records that the library wrote a message with QoS 0.
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

    /// Returns the number of QoS 0 messages written since the last call.
    mutating func takeStreams() -> Int {
        defer { streams = 0 }
        return streams
    }
}

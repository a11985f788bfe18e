/// Decides which packets are sent together, and when the kernel acknowledges received data: each separate TCP segment
/// wakes up both sides.
struct SocketPacing {
    /// The maximum interval between messages whose acknowledgements are collected, and the maximum delay of those
    /// acknowledgements.
    static let patience = Duration.milliseconds(2)
    /// The number of MQTT acknowledgements (PUBACK) that the client collects before it reads them, and the length of
    /// one PUBACK in bytes.
    static let company = 3, acknowledgementSize = 4

    /// Whether the kernel still has to acknowledge received data to the broker (TCP).
    var owesAcknowledgement = false
    /// Whether the kernel holds written data back until the current round of the event loop ends.
    private var isCorked = false
    /// The number of the event loop's round in which data was last written.
    private var lastRound: UInt64 = 0
    /// The time at which a message was last written.
    private var lastMessage: Duration?

    /// Whether the kernel has to hold written data back (`TCP_CORK`) until the end of the loop's round. The library
    /// writes each packet separately, and sending a packet costs the kernel several times as much as holding it back.
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

    /// Whether the acknowledgements of written messages will arrive so close together that collecting them saves
    /// wake-ups. If messages are far apart, the delay costs more than an additional wake-up.
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

/// Tracks whether the library is writing, because its report of a published message means something different during a
/// write.
struct WriteTracker {
    /// The time at which the current write started; nil outside of writes. If the library reports a message during a
    /// write, the message was sent; at other times, the broker acknowledged the message.
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

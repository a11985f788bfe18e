import Logging

// Answers that the broker had not confirmed when it ended the connection without a reason.
extension Client {
    /// Reports where they were sent: the broker may have ended the connection over one of them.
    func reportUnconfirmedReplies() {
        for topic in outbox.repliesUnderWay.sorted() { emit(.replyUnconfirmed(topic: topic)) }
    }
}

extension Outbox {
    /// The topics of the answers that the broker has not confirmed.
    fileprivate var repliesUnderWay: Set<String> {
        Set(inFlight.values.filter(\.isReply).map(\.topic))
    }

    /// Whether the broker has not confirmed an answer.
    var hasReplyUnderWay: Bool { inFlight.values.contains(where: \.isReply) }
}

extension Outbox.Delivery {
    /// Whether it is an answer.
    fileprivate var isReply: Bool { if case .letter(let letter) = origin { letter.isReply } else { false } }
}

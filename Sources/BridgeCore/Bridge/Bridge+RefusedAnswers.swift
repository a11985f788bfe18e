import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Messages

// An error replaces an answer that the broker refuses, so that the sender receives an answer.
extension Bridge {
    /// The size of the largest refused answer, in bytes, that the bridge parses to find out which request it answers.
    private static let largestAnswer = 4_000_000

    /// The reason that brokers give for a message that is too large, although its topic is allowed.
    private static let sizeReason = "packet too large"

    /// Handles a message that the broker refuses permanently.
    func refused(_ message: OutgoingMessage, _ reason: String) {
        guard message.payload.count <= Self.largestAnswer,
            let answer = (try? JSON.Value(parsing: message.payload))?.object,
            answer["status"] == "ok",
            let key = ["request", "feature"].first(where: { answer[$0] != nil }),
            let name = answer[key]?.string
        else { return }
        // If the sender's Response Topic is forbidden, a second message there would be refused too.
        let isForbidden = reason != Self.sizeReason && isSendersTopic(message.topic)
        guard !isForbidden || key == "request" else { return }
        let error = CommandError(
            .notSupported,
            isForbidden
                ? "carried out, but the broker refused the answer on \(message.topic.excerpt) (\(reason)): "
                    + "choose another Response Topic, or allow the bridge to write there"
                : "carried out, but the broker refused the answer of \(message.payload.count) bytes (\(reason)): allow "
                    + "larger messages in the broker's configuration, or request less data")
        var object = AnswerMessage(
            subject: (key, name), answer: .failed(error),
            details: answer["bridge"].map { ["bridge": $0] } ?? [:], id: answer["id"], elapsed: .zero,
            date: ports.time.date
        ).object
        object["seq"] = answer["seq"]
        ports.broker.publish(
            OutgoingMessage(
                topic: isForbidden ? topics.response(name) : message.topic,
                payload: JSON.Value.object(object).bytes, policy: isForbidden ? .event : message.policy))
    }
}

import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Messages

// An error replaces an answer that the broker refuses, so that the sender receives one.
extension Bridge {
    /// The largest answer that is read again to find out what it answers.
    private static let largestAnswer = 4_000_000

    /// How brokers refuse a message that they would take on its topic if it was smaller.
    private static let sizeReason = "packet too large"

    /// The broker refused a message for good.
    func refused(_ message: OutgoingMessage, _ reason: String) {
        guard message.payload.count <= Self.largestAnswer,
            let answer = (try? JSON.Value(parsing: message.payload))?.object,
            answer["status"] == "ok",
            let key = ["request", "feature"].first(where: { answer[$0] != nil }),
            let name = answer[key]?.string
        else { return }
        // Where the sender wants the answer and the broker does not, another one would be refused again.
        let isForbidden = reason != Self.sizeReason && isSendersTopic(message.topic)
        guard !isForbidden || key == "request" else { return }
        let error = CommandError(
            .notSupported,
            isForbidden
                ? "carried out, but the broker refused the answer on \(message.topic.excerpt) (\(reason)): choose another "
                    + "Response Topic, or allow the bridge to write there"
                : "carried out, but the broker refused the answer of \(message.payload.count) bytes (\(reason)): allow "
                    + "larger messages in the broker's configuration, or ask for less")
        var object = AnswerMessage(
            subject: (key, name), answer: .failed(error),
            details: answer["bridge"].map { ["bridge": $0] } ?? [:], id: answer["id"], elapsed: .zero,
            date: world.time.date
        ).object
        object["seq"] = answer["seq"]
        world.broker.publish(
            OutgoingMessage(
                topic: isForbidden ? topics.response(name) : message.topic,
                payload: JSON.Value.object(object).bytes, policy: isForbidden ? .event : message.policy))
    }
}

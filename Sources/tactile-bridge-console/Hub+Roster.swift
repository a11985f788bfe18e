import BridgeConfiguration
import BridgeContract
import Console
import EventLoop
import JSON
import MQTT
import Messages

/// A message of the roster that a page writes, until the broker has forwarded it to this connection.
struct RosterWrite {
    /// The maximum time to wait for the broker.
    static let patience = Duration.seconds(5)

    let payload: [UInt8]
    let tab: Int
    /// The id that the page gave to its message.
    let id: String?
    let timeout: LoopTimer
}

// The roster, which pages of administrators write. Its messages are retained, and bridges do not answer them. The
// message that the broker sends back is the answer.
extension Hub {
    /// Returns whether a topic belongs to the roster.
    func isRoster(_ topic: String) -> Bool {
        let topics = Topics(bridge: "", baseTopic: settings.mqtt.baseTopic)
        return if case .roster? = topics.destination(topic) { true } else { false }
    }

    /// Publishes a message of the roster for a page that watches its topic.
    func write(_ topic: String, _ payload: [UInt8], _ id: String?, _ tab: Tab) {
        let line = tab.line
        guard tab.wants(topic) else {
            return refuse(tab, id, "not_allowed", "the page does not watch \(topic)")
        }
        guard line.writes[topic] == nil else {
            return refuse(tab, id, "busy", "another message on \(topic) waits for the broker")
        }
        let timeout = loop.schedule(after: RosterWrite.patience) {
            self.finishWrite(topic, line, refusal: ("no_answer", "the broker has not confirmed the message"))
        }
        line.writes[topic] = RosterWrite(payload: payload, tab: tab.number, id: id, timeout: timeout)
        line.take(OutgoingMessage(topic: topic, payload: payload, policy: .state))
    }

    /// Ends the wait for a message of the roster and answers the page.
    ///
    /// The client forgets the message. Otherwise it would publish it again at the next connect, when someone else may
    /// have written the topic.
    func finishWrite(_ topic: String, _ line: Line, refusal: (code: String, message: String)? = nil) {
        guard let write = line.writes.removeValue(forKey: topic) else { return }
        write.timeout.cancel()
        line.client.release([topic])
        guard let tab = tabs[write.tab] else { return }
        if let refusal { return refuse(tab, write.id, refusal.code, refusal.message) }
        guard let id = write.id else { return }
        send(Words.answer(id: id, topic: topic, response: Array(#"{"status":"ok"}"#.utf8)), to: tab)
    }
}

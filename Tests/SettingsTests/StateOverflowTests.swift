import BridgeCore
import Testing

@testable import BridgeProcess

@Suite("What finds no room in the line to the bridge")
struct StateOverflowTests {
    private func message(_ topic: String, _ payload: String) -> BridgeCore.IncomingMessage {
        BridgeCore.IncomingMessage(topic: topic, payload: Array(payload.utf8))
    }

    @Test("Of states the newest of each topic is kept, in order; nothing else is")
    func newest() {
        var overflow = StateOverflow()
        overflow.learn([
            TopicFilter("+/connection", isState: true), TopicFilter("belt/+/set"),
            TopicFilter("home/status", isState: true),
        ])
        let isReplaced = overflow.replace(message("a/connection", "0"))
        #expect(!isReplaced)
        let kept = [
            message("a/connection", "1"), message("belt/vibrate/set", "2"), message("home/status", "3"),
            message("a/connection", "4"),
        ].map { overflow.keep($0) }
        #expect(kept == [true, false, true, true])
        let isReplacedNow = overflow.replace(message("home/status", "5"))
        #expect(isReplacedNow)
        var seen: [String] = []
        func take(_ message: BridgeCore.IncomingMessage, atMost limit: Int) -> Bool {
            guard seen.count < limit else { return false }
            seen.append(message.topic + String(decoding: message.payload, as: UTF8.self))
            return true
        }
        overflow.empty { take($0, atMost: 1) }
        #expect(seen == ["a/connection4"] && !overflow.isEmpty)
        overflow.empty { take($0, atMost: 9) }
        #expect(seen == ["a/connection4", "home/status5"] && overflow.isEmpty)
    }

    @Test("A subscription that ended, or is another one, is not kept to; nor a connection")
    func forgets() {
        var overflow = StateOverflow()
        overflow.learn([TopicFilter("a", isState: true), TopicFilter("b", isState: true)])
        overflow.learn([TopicFilter("a")])
        overflow.forget(["b"])
        let kept = [overflow.keep(message("a", "")), overflow.keep(message("b", ""))]
        #expect(kept == [false, false])
        overflow.learn([TopicFilter("a", isState: true)])
        _ = overflow.keep(message("a", ""))
        overflow.clear()
        #expect(overflow.isEmpty)
    }
}

import EventLoop
import Foundation
import HostTesting
import JSON
import Testing

@Suite("The roster in the console", .serialized)
struct ConsoleRosterTests {
    private static let topic = "roster/groups"
    private static let written = #"{"v":1,"groups":{"g":["belt"]},"by":"test","time":"2026-01-31T12:00:00Z"}"#

    @Test("A page writes retained messages of the roster, which the console does not repeat")
    func write() throws {
        let bench = try Bench()
        let it = try ConsoleBench(bench, console: "roles: { \"*\": [viewer, admin] }")
        let page = try it.open(try it.login())
        page.send(Self.message("1"))
        let refusal = try page.expect("a refusal") { $0["type"] == "refused" }
        #expect(refusal["code"] == "not_allowed" && refusal["id"] == "1")

        page.send(["type": "watch", "filters": ["roster/+"]])
        try bench.publish("roster/c0ffee00be01", "first", ["-r"])
        #expect(try page.expectMessage("roster/c0ffee00be01") == "first")
        page.send(Self.message("2"))
        let answer = try page.expect("an answer") { $0["type"] == "answer" }
        #expect(answer["id"] == "2" && answer["response"]?["status"] == "ok", "\(answer)")
        // A new subscriber receives only what is retained.
        let retained = try TestProcess.run(
            ["mosquitto_sub"] + bench.broker.arguments + ["-t", Self.topic, "-C", "1", "-W", "5"])
        #expect(retained == Self.written)

        // The broker starts without retained messages.
        bench.broker.stop()
        try page.expect("the broker's end") { $0["type"] == "broker" && $0["connected"] == false }
        try bench.broker.start()
        try page.expect("the broker") { $0["type"] == "broker" && $0["connected"] == true }
        var topics: Set<String> = []
        try bench.publish("roster/c0ffee00be01", "last")
        try page.expect("the last message") { message in
            let messages = message["messages"]?.array ?? []
            topics.formUnion(messages.compactMap { $0.array?.first?.string })
            return messages.contains { $0.array?[1] == "last" }
        }
        #expect(!topics.contains(Self.topic))
    }

    private static func message(_ id: String) -> JSON.Value {
        ["type": "publish", "id": .string(id), "topic": .string(topic), "payload": .string(written)]
    }
}

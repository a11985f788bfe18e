import EventLoop
import HostTesting
import JSON
import Testing

@Suite("Input that is too large, too deep, too frequent or no text, through the whole bridge", .serialized)
struct LimitsTests {
    private func send(_ bench: Bench, _ topic: String, _ payload: [UInt8]) throws {
        let file = try bench.folder.write(payload, to: "payload")
        try TestProcess.run(
            ["mosquitto_pub"] + bench.broker.arguments + ["-q", "1", "-t", topic, "-f", file])
    }

    @Test("Invalid input is answered with a short reason, and the next command is executed")
    func refused() throws {
        let bench = try Bench.withBelt()
        // The watcher must not read the large payloads.
        bench.stopWatching()
        let watcher = try Watcher(
            bench.broker, isThere: true, topics: ["belt/result", "bridge/test/response/+"])
        let members = (0..<6000).map { "\"k\($0)\":1" }.joined(separator: ",")
        let cases: [(payload: [UInt8], code: String, words: String)] = [
            (Array(repeating: 0x20, count: 65_537), "invalid_payload", "65537 bytes; allowed: at most 65536"),
            (Array(repeating: UInt8(ascii: "x"), count: 1 << 20), "invalid_payload", "1048576 bytes"),
            (
                Array((#"{"intensity":"# + String(repeating: "[", count: 10_000)).utf8), "invalid_payload",
                "nested deeper than 16 levels"
            ),
            (Array(String(repeating: "[", count: 10_000).utf8), "invalid_value", "a whole number 5...100"),
            (Array("{\(members)}".utf8), "unknown_field", "k0"),
            (Array("{\"\(String(repeating: "k", count: 60_000))\":1}".utf8), "unknown_field", "kkk"),
            (
                Array(#"{"intensity":""#.utf8) + [0xFF, 0xC0] + Array(#""}"#.utf8), "invalid_payload",
                "not valid JSON"
            ),
            ([0xFF, 0x00, 0xFE], "invalid_value", "a whole number 5...100"),
        ]
        for (payload, code, words) in cases {
            try send(bench, "belt/intensity/set", payload)
            let answer = try watcher.expect("belt/result")
            #expect(answer.json["code"]?.string == code, "\(answer)")
            #expect(answer.json["message"]?.string?.contains(words) == true, "\(answer)")
            #expect(answer.payload.utf8.count < 2500)
        }
        try send(bench, "bridge/test/request/rename", Array(repeating: 0x20, count: 1 << 20))
        let response = try watcher.expect("bridge/test/response/rename")
        #expect(response.json["code"] == "invalid_payload", "\(response)")
        #expect(try bench.ask("belt/intensity/set", "60")["status"] == "ok")
    }

    @Test("Commands above the rate limit are each answered, and the bridge continues")
    func rate() throws {
        let bench = try Bench.withBelt()
        let count = 1500
        let lines = try bench.folder.write(String(repeating: "30\n", count: count), to: "lines")
        try TestProcess.run(
            [
                "sh", "-c", "exec \"$@\" < \(lines)", "sh", "mosquitto_pub",
            ] + bench.broker.arguments + ["-q", "1", "-t", "belt/intensity/set", "-l"])
        var codes: [String: Int] = [:]
        for _ in 0..<count {
            let answer = try bench.watcher.expect("belt/result", within: .seconds(60)).json
            codes[answer["code"]?.string ?? "ok", default: 0] += 1
        }
        #expect(codes["rate_limited", default: 0] > 0, "\(codes)")
        #expect(codes["ok", default: 0] > 0, "\(codes)")
        #expect(Set(codes.keys).isSubset(of: ["ok", "rate_limited", "busy"]), "\(codes)")
        #expect(try bench.ask("belt/stop/set", "all")["status"] == "ok")
    }
}

import Bluetooth
import BridgeTesting
import DeviceKit
import HostTesting
import JSON
import Logging
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("The log")
struct LogTests {
    private func lines(_ bench: TestBridge, _ level: Logger.Level, _ parts: String...) -> [Substring] {
        bench.log.all.split(separator: "\n").filter { line in
            line.hasPrefix("\(level) ") && parts.allSatisfy { line.contains($0) }
        }
    }

    @Test(
        "At debug, the log contains commands with answers, states and events of the connection, but no streams"
    )
    func debug() throws {
        withBridge { bench in
            bench.goOnline()
            for state in ["connecting", "preparing", "connected"] {
                #expect(
                    lines(bench, .debug, "debug connection state changed ", "\"state\": \(state)").count == 1,
                    "\(state)")
            }
            bench.send("level", "60")
            let command = lines(
                bench, .debug, "debug command succeeded ", "level", "\"answer\": ok", "\"payload\": 60")
            #expect(command.count == 1)
            bench.link()?.notify(SampleFamily.status, [4, 12])
            #expect(lines(bench, .trace, "trace message published ", "sample/motion").count == 1)
            #expect(lines(bench, .debug, "sample/motion") == [])
            #expect(
                !lines(bench, .debug, "debug message published ", "sample/connection", "connected").isEmpty)
        }
    }

    @Test(
        "At trace, the log contains each write, read and notification in hex, with characteristic and device")
    func trace() {
        withBridge { bench in
            bench.goOnline()
            bench.send("level", "60")
            let writes = lines(bench, .trace, "trace write ", "AA01", "\"value\": 053c", "\"device\": sample")
            #expect(writes.count == 1)
            bench.link()?.notify(SampleFamily.status, [1, 0xFE])
            #expect(lines(bench, .trace, "trace notification ", "AA02", "\"value\": 01fe").count == 1)
            #expect(!lines(bench, .trace, "trace value ", "AA02").isEmpty)
        }
    }

    @Test(
        "Typed input is logged only if the configuration allows it, and only at trace",
        arguments: [false, true])
    func typed(_ isAllowed: Bool) {
        var family = SampleFamily()
        family.privateFeatures = ["pressed"]
        family.privateCharacteristics = [SampleFamily.status]
        var settings = BridgeSettings.oneDevice()
        settings.logsTyping = isAllowed
        withLab { lab in
            let bench = lab.bridge(settings, families: [family])
            bench.goOnline()
            bench.link()?.notify(SampleFamily.status, [3, 77])
            #expect(bench.broker.objects("sample/pressed").first?["button"] == 77)
            #expect(lines(bench, .trace, "trace message published ", "sample/pressed").count == 1)
            #expect(!lines(bench, .trace, "trace notification ", "AA02").isEmpty)
            #expect(
                lines(bench, .trace, "trace message published ", "sample/pressed", "77").count
                    == (isAllowed ? 1 : 0))
            #expect(lines(bench, .trace, "034d").count == (isAllowed ? 1 : 0))
            for level in [Logger.Level.debug, .info, .notice, .warning, .error] {
                for part in ["sample/pressed", "77", "034d"] {
                    #expect(lines(bench, level, part) == [], "\(level) shows \(part)")
                }
            }
        }
        withBridge { bench in
            bench.goOnline()
            bench.link()?.notify(SampleFamily.status, [3, 77])
            #expect(lines(bench, .debug, "debug message published ", "sample/pressed", "77").count == 1)
        }
    }

    @Test("A failed command is logged with its code, and repeated failures at a limited rate")
    func failures() {
        withBridge { bench in
            bench.goOnline()
            bench.send("level", "400")
            #expect(lines(bench, .info, "info command failed", "out_of_range", "level").count == 1)
            for _ in 0..<100 { bench.send("level", "400") }
            #expect(lines(bench, .info, "info command failed").count == 10)
            #expect(lines(bench, .debug, "debug command failed").count == 91)
            bench.time.advance(by: .seconds(1))
            bench.send("level", "400")
            #expect(lines(bench, .info, "info command failed", "\"left_out\": 91").count == 1)
            bench.broker.send("all/sing/set", "la")
            #expect(lines(bench, .info, "command failed", "unknown_feature", "\"to\": all").count == 1)
        }
    }

    @Test(
        "A failure of the device is a warning, and an error of the sender is not",
        arguments: [
            (CommandError.Code.deviceError, Logger.Level.warning), (.timeout, .warning),
            (.internal, .warning),
            (.outOfRange, .info), (.deviceOffline, .info), (.expired, .info),
        ])
    func levels(_ code: CommandError.Code, _ level: Logger.Level) {
        var log = FailureLog()
        #expect(log.take(code, at: .zero) == (level, 0))
    }

    @Test("A notice that trace contains typed input is logged once, and only if it does")
    func typing() {
        withBridge { bench in
            bench.connectBroker()
            bench.request("log_level", "trace")
            #expect(lines(bench, .notice, "typed with a TAP") == [])
        }
        withLab { lab in
            var settings = BridgeSettings.empty()
            settings.logsTyping = true
            let bench = lab.bridge(settings)
            bench.connectBroker()
            #expect(lines(bench, .notice, "typed with a TAP") == [])
            for level in ["debug", "trace", "info", "trace"] { bench.request("log_level", level) }
            #expect(lines(bench, .notice, "typed with a TAP").count == 1)
        }
    }

    @Test("Unknown requests and invalid messages of the roster are logged at a limited rate")
    func floods() {
        withBridge { bench in
            bench.goOnline()
            let long = String(repeating: "x", count: 20_000)
            for index in 0..<1000 {
                bench.broker.send("bridge/attic/request/nothing\(index)\(long)", "")
                bench.broker.send("roster/\(index)\(long)", "{}")
            }
            #expect(lines(bench, .warning, "request refused").count == 10)
            #expect(lines(bench, .error, "roster").count == 10)
            bench.time.advance(by: .seconds(1))
            bench.broker.send("bridge/attic/request/nothing", "")
            bench.broker.send("roster/nothing", "{}")
            #expect(lines(bench, .warning, "request refused", "\"left_out\": 990").count == 1)
            #expect(lines(bench, .error, "roster", "\"left_out\": 990").count == 1)
            #expect(bench.log.all.split(separator: "\n").allSatisfy { $0.utf8.count < 1000 })
        }
    }

    // MARK: Log lines on the broker

    private func withLog(_ level: Logger.Level?, _ body: (TestBridge) -> Void) {
        withLab { lab in
            var settings = BridgeSettings.empty()
            settings.brokerLogLevel = level
            let bench = lab.bridge(settings)
            bench.connectBroker()
            body(bench)
        }
    }

    private func line(_ message: String, _ details: [String: String] = [:]) -> LogLine {
        LogLine(time: TimeStamp(milliseconds: 0), level: .info, message: message, details: details)
    }

    private static let topic = "bridge/attic/log"

    @Test("Log lines are published at 50 a second, and dropped lines are counted")
    func stream() {
        withLog(.info) { bench in
            #expect(bench.process.followedLevel == .info)
            bench.process.log(
                [line("link lost", ["device": "belt", "reason": "far"])]
                    + (1..<25).map { line("\($0)") }, dropped: 3)
            bench.time.advance(by: .milliseconds(200))
            #expect(
                bench.broker.objects(Self.topic).first == [
                    "time": "1970-01-01T00:00:00.000Z", "level": "info", "message": "link lost",
                    "device": "belt",
                    "details": ["reason": "far"], "dropped": 3,
                ])
            #expect(bench.broker.texts(Self.topic).count == 10)
            bench.time.advance(by: .milliseconds(200))
            #expect(bench.broker.texts(Self.topic).count == 20)
            bench.time.advance(by: .seconds(10))
            #expect(bench.broker.objects(Self.topic).count { $0["dropped"] != nil } == 1)
            #expect(bench.broker.objects(Self.topic).map { $0["message"] ?? .null }.last == "24")
            #expect(bench.broker.log.last { $0.message.topic == Self.topic }?.message.policy == .stream)
            #expect(bench.broker.retained(Self.topic) == nil)
        }
    }

    @Test("A line about the log's own topic is not published")
    func loop() {
        withLog(.debug) { bench in
            bench.process.log([line("the broker refused a message", ["topic": Self.topic])])
            bench.time.advance(by: .seconds(2))
            #expect(bench.broker.texts(Self.topic) == [])
        }
    }

    @Test("No log lines are published by default, and a reload starts and stops them")
    func reload() {
        withLog(nil) { bench in
            #expect(bench.process.followedLevel == nil)
            var settings = BridgeSettings.empty()
            settings.brokerLogLevel = .error
            bench.configuration.set(ReloadedConfiguration(settings: settings))
            bench.hangUp()
            #expect(bench.process.followedLevel == .error)
            bench.configuration.set(ReloadedConfiguration(settings: .empty()))
            bench.hangUp()
            #expect(bench.process.followedLevel == nil)
        }
    }
}

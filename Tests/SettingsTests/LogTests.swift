import DeviceKit
import Foundation
import Glibc
import JSON
import Logging
import Synchronization
import Testing

@testable import HostServices

@Suite("Log lines")
struct LogTests {
    /// Collects lines.
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        @Sendable func add(_ line: [UInt8]) {
            lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
        }
    }

    private func lines(
        _ format: LogFormat, level: Logger.Level = .trace, _ body: (inout Logger, LogControl) -> Void
    ) -> [String] {
        let lines = Lines()
        let control = LogControl(
            level: level, format: format, sink: lines.add,
            clock: { TimeStamp(milliseconds: 1_769_860_800_123) })
        var logger = control.makeLogger()
        body(&logger, control)
        return lines.all
    }

    @Test("Text has time, level, message, then the device and the topic, with quotation marks where needed")
    func text() {
        let lines = lines(.text) { logger, _ in
            logger[metadataKey: "device"] = "belt"
            logger.warning(
                "gone", metadata: ["reason": "no \"answer\"", "topic": "belt/mode", "attempt": "2"])
        }
        #expect(lines.count == 1)
        #expect(
            lines.first?.hasSuffix(
                ".123 warning  gone device=belt topic=belt/mode attempt=2 reason=\"no \\\"answer\\\"\"\n")
                == true)
        #expect(lines.first?.wholeMatch(of: /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.123 [^\n]+\n/) != nil)
    }

    @Test("JSON has one object per line, with keys for the device and the topic")
    func json() throws {
        let lines = lines(.json) { logger, _ in
            logger.error("bad\nthing", metadata: ["device": "belt", "time": "noon"])
        }
        let line = try #require(lines.first)
        #expect(line.hasSuffix("}\n") && line.dropLast().allSatisfy { $0 != "\n" })
        #expect(
            try JSON.Value(parsing: Array(line.utf8)) == [
                "time": "2026-01-31T12:00:00.123Z", "level": "error", "message": "bad\nthing",
                "device": "belt", "time_": "noon",
            ])
    }

    @Test(
        "journald has the priority in front",
        arguments: [
            (Logger.Level.trace, 7), (.debug, 7), (.info, 6), (.notice, 5), (.warning, 4), (.error, 3),
            (.critical, 2),
        ])
    func journald(_ level: Logger.Level, _ priority: Int) {
        let lines = lines(.journald) { logger, _ in logger.log(level: level, "hello", metadata: ["a": "b"]) }
        #expect(lines == ["<\(priority)>hello a=b\n"])
    }

    @Test("Untrusted input cannot start a new line", arguments: [LogFormat.text, .journald])
    func forging(_ format: LogFormat) {
        let lines = lines(format) { logger, _ in
            logger.info("name\n<0>forged", metadata: ["device": "a\n<0>b\u{1B}[2J"])
        }
        #expect(lines.count == 1)
        #expect(lines.first?.count { $0 == "\n" } == 1)
        #expect(lines.first?.contains("\u{1B}") == false)
    }

    @Test("The level can change while loggers are in use; a logger with its own level keeps it")
    func level() {
        let lines = lines(.journald, level: .info) { logger, control in
            var own = logger
            own.logLevel = .error
            logger.debug("1")
            control.level = .debug
            logger.debug("2")
            own.warning("3")
            own.error("4")
        }
        #expect(lines == ["<7>2\n", "<3>4\n"])
    }

    @Test("The log is limited to subsystems, by source or part; errors are always written")
    func kinds() {
        let lines = lines(.journald, level: .info) { logger, control in
            var mqtt = logger
            mqtt[metadataKey: "part"] = "mqtt"
            var sleep = logger
            sleep[metadataKey: "part"] = "sleep"
            control.only = [.commands, .mqtt]
            logger.info("1", source: LogSubsystem.commands.rawValue)
            logger.info("2", source: LogSubsystem.links.rawValue)
            logger.info("3")
            mqtt.info("4")
            mqtt.debug("5")
            sleep.warning("6")
            sleep.error("7")
            control.only = [.bridge, .services]
            logger.info("8")
            sleep.info("9")
            mqtt.info("10")
            control.only = []
            mqtt.info("11")
        }
        #expect(lines.compactMap { $0.firstMatch(of: /> *(\d+)/)?.1 } == ["1", "4", "7", "8", "9", "11"])
    }

    @Test("A subsystem has its own level until the common level is set")
    func levelOfKind() {
        let lines = lines(.journald, level: .warning) { logger, control in
            control[.links] = .debug
            #expect(control[.links] == .debug && control[.topics] == .warning && control.level == .warning)
            #expect(logger.logLevel == .debug)
            logger.debug("1", source: LogSubsystem.links.rawValue)
            logger.info("2", source: LogSubsystem.topics.rawValue)
            control.only = [.topics]
            logger.debug("3", source: LogSubsystem.links.rawValue)
            control[.links] = .critical
            logger.warning("4", source: LogSubsystem.links.rawValue)
            logger.error("5", source: LogSubsystem.links.rawValue)
            control.level = .info
            logger.info("6", source: LogSubsystem.links.rawValue)
            logger.info("7", source: LogSubsystem.topics.rawValue)
        }
        #expect(lines.compactMap { $0.firstMatch(of: />(\d+)/)?.1 } == ["1", "3", "5", "7"])
    }

    @Test("Lines for the broker are limited to the same subsystems")
    func feedOfKinds() {
        _ = lines(.journald, level: .info) { logger, control in
            control.follow(from: .debug) {}
            control.only = [.commands]
            logger.debug("one", source: LogSubsystem.commands.rawValue)
            logger.info("two", source: LogSubsystem.topics.rawValue)
            logger.error("three", source: LogSubsystem.topics.rawValue)
            #expect(control.feed.take(10).lines.map(\.message) == ["one", "three"])
        }
    }

    @Test("Lines for the broker have their own level; lines that are logged while they are sent are ignored")
    func feed() {
        let wakes = Mutex(0)
        let lines = lines(.journald, level: .warning) { logger, control in
            logger.info("before")
            control.follow(from: .info) { wakes.withLock { $0 += 1 } }
            #expect(logger.logLevel == .info)
            logger.debug("too low")
            logger.info("one", metadata: ["device": "belt"])
            logger.error("two")
            #expect(wakes.withLock(\.self) == 1)
            let first = control.feed.take(1)
            #expect(first.lines.map(\.message) == ["one"] && first.hasMore && first.dropped == 0)
            #expect(first.lines.first?.metadata.first?.value == "belt")
            #expect(control.feed.take(10).lines.map(\.message) == ["two"])
            control.feed.ignoring { logger.error("of the sending") }
            for number in 0..<300 { logger.info("\(number)") }
            let rest = control.feed.take(1000)
            #expect(rest.lines.count == LogFeed.capacity && rest.dropped == 100 && !rest.hasMore)
            #expect(rest.lines.first?.message == "100")
            #expect(wakes.withLock(\.self) == 2)
            control.follow(from: nil) {}
            #expect(logger.logLevel == .warning)
            logger.error("after")
            #expect(control.feed.take(10).lines.isEmpty)
        }
        #expect(lines == ["<3>two\n", "<3>of the sending\n", "<3>after\n"])
    }

    @Test("A line that is not logged is not rendered, and its metadata is not copied")
    func unwanted() {
        let rendered = Mutex(0)
        func render() -> String {
            rendered.withLock { $0 += 1 }
            return "text"
        }
        _ = lines(.text, level: .info) { logger, control in
            for _ in 0..<1000 { logger.debug("\(render())", metadata: ["a": "\(render())"]) }
        }
        #expect(rendered.withLock(\.self) == 0)
    }

    /// All bytes in a pipe.
    private func drain(_ pipe: Pipe) -> [UInt8] {
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { all += buffer[..<count] }
        return all
    }

    @Test("The writer does not wait for a blocked reader; dropped lines are counted, and long lines are cut")
    func standingReader() throws {
        let pipe = Pipe()
        let output = StandardError(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let line = Array((String(repeating: "x", count: 9_999) + "\n").utf8)
        for _ in 0..<100 { output.write(line) }
        let before = drain(pipe)
        output.write(Array("after\n".utf8))
        let after = String(decoding: drain(pipe), as: UTF8.self)
        let written = before.count { $0 == 0x0A }
        #expect(written > 0 && written < 100)
        #expect(before.allSatisfy { $0 != 0 } && before.count / written <= 4096)
        #expect(after == "(\(100 - written) log lines dropped: the reader was too slow)\nafter\n")
    }
}

import BridgeTesting
import DeviceKit
import HomeAssistant
import HostTesting
import JSON
import Logging
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("Rate limits for floods of messages from others")
struct PacerTests {
    private typealias Sut = Pacer<String, Int>

    @Test("A single value passes immediately, and of several values the newest passes later")
    func newest() {
        var pacer = Sut()
        let pace = Sut.Pace(interval: .seconds(1))
        func take(_ value: Int, _ key: String, _ seconds: Double) -> Int? {
            pacer.take(value, on: key, pace, at: .seconds(seconds))
        }
        #expect(take(1, "a", 10) == 1)
        #expect(pacer.next == nil)
        #expect(take(2, "a", 10.1) == nil)
        #expect(take(3, "b", 10.1) == 3)
        #expect(take(4, "a", 10.9) == nil)
        #expect(pacer.next == .seconds(11))
        let early = pacer.due(at: .seconds(10.99))
        #expect(early == [])
        let due = pacer.due(at: .seconds(11))
        #expect(due == [4])
        #expect(pacer.next == nil)
        #expect(take(5, "a", 11.5) == nil)
        let late = pacer.due(at: .seconds(20))
        #expect(late == [5])
        #expect(take(6, "a", 21) == 6)
    }

    @Test("A burst of values passes, and another burst after a pause")
    func burst() {
        var pacer = Sut()
        let pace = Sut.Pace(burst: 3, interval: .seconds(1))
        let first = (1...5).compactMap { pacer.take($0, on: "a", pace, at: .seconds(10)) }
        #expect(first == [1, 2, 3])
        #expect(pacer.next == .seconds(11))
        let due = pacer.due(at: .seconds(11))
        #expect(due == [5])
        let second = (6...9).compactMap { pacer.take($0, on: "a", pace, at: .seconds(20)) }
        #expect(second == [6, 7, 8])
    }

    @Test("With random values and times, the last value always passes, and the rate is never exceeded")
    func random() {
        var source = RandomSource(seed: 17)
        for _ in 0..<200 {
            var pacer = Sut()
            let pace = Sut.Pace(burst: Int.random(in: 1...4, using: &source), interval: .milliseconds(250))
            var now = Duration.seconds(1)
            var passed: [(value: Int, time: Duration)] = []
            for value in 0..<50 {
                now += .milliseconds(Int.random(in: 0...200, using: &source))
                while let next = pacer.next, next <= now {
                    passed += pacer.due(at: next).map { ($0, next) }
                }
                if let value = pacer.take(value, on: "a", pace, at: now) { passed.append((value, now)) }
            }
            while let next = pacer.next { passed += pacer.due(at: next).map { ($0, next) } }
            #expect(passed.last?.value == 49)
            #expect(passed.map(\.value) == passed.map(\.value).sorted())
            for (early, late) in zip(passed, passed.dropFirst(pace.burst)) {
                #expect(late.time - early.time >= pace.interval)
            }
        }
    }

    @Test("Birth messages of Home Assistant are answered immediately, then once a second, including the last")
    func births() {
        withLab { lab in
            var settings = BridgeSettings.oneDevice()
            settings.homeAssistant = HomeAssistantSettings()
            let bench = lab.bridge(settings)
            bench.goOnline()
            bench.broker.clearLog()
            let isAnnouncement = { (topic: String) in topic.hasSuffix("/config") }
            func count() -> Int { bench.broker.log.count { isAnnouncement($0.message.topic) } }
            bench.broker.send("homeassistant/status", "online")
            let once = count()
            #expect(once >= 2)
            for _ in 0..<100 { bench.broker.send("homeassistant/status", "online") }
            #expect(count() == once)
            bench.time.advance(by: .seconds(1))
            #expect(count() == 2 * once)
            bench.time.advance(by: .seconds(5))
            #expect(count() == 2 * once)
        }
    }
}

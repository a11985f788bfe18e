import DeviceKit
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Decisions which of two processes with one id yields")
struct TwinWatchTests {
    private static let early = TimeStamp(milliseconds: 1_000_000)
    private static let late = TimeStamp(milliseconds: 1_001_000)

    /// A process, its echoes, and the messages that it has not read.
    private struct Process {
        var watch: TwinWatch
        let name: String
        var inbox: [String] = []
        var hasYielded = false
        /// When it sends another echo.
        var question: Duration?

        init(_ name: String, started: TimeStamp, instance: UInt64) {
            self.name = name
            watch = TwinWatch(host: name, started: started, instance: instance)
        }

        /// Handles the oldest message; returns the message that the other process receives.
        mutating func takeOne(at now: Duration) -> String? {
            guard !inbox.isEmpty else { return nil }
            let text = inbox.removeFirst()
            guard !hasYielded else { return nil }
            let prefix = name
            switch watch.heard(text, at: now, isOwnEcho: { $0.hasPrefix(prefix) }) {
            case .nothing: return nil
            case .ask:
                // The bridge sends another echo a second later, when the clock of the test has advanced.
                question = now + TwinWatch.proofTime
                return nil
            case .answer(let bytes): return String(decoding: bytes, as: UTF8.self)
            case .yield:
                hasYielded = true
                return nil
            }
        }
    }

    @Test(
        "Whatever the clocks show, a process that starts next to an established one yields",
        arguments: [(early, late), (late, early), (early, early)])
    func later(first: TimeStamp, second: TimeStamp) {
        var a = Process("a", started: first, instance: 1), b = Process("b", started: second, instance: 2)
        a.watch.establish()
        a.inbox.append("b-1")
        let answer = a.takeOne(at: .zero)
        b.inbox.append(answer ?? "")
        let more = b.takeOne(at: .zero)
        #expect(b.hasYielded && !a.hasYielded && more == nil)
    }

    @Test("In any order of messages and of establishment, exactly one of two yields", arguments: 0..<500)
    func orders(seed: UInt64) {
        var random = SystemRandomNumberGenerator()
        var a = Process("a", started: Bool.random() ? Self.early : Self.late, instance: 1)
        var b = Process("b", started: Bool.random() ? Self.early : Self.late, instance: 2)
        var now = Duration.zero
        // Each process sends an echo when it starts and another when it publishes, as a bridge does.
        b.inbox.append("a-1")
        a.inbox.append("b-1")
        var isOver: Bool {
            (a.hasYielded || b.hasYielded) && a.inbox.isEmpty && b.inbox.isEmpty && a.question == nil
                && b.question == nil
        }
        for _ in 0..<400 where !isOver {
            now += .milliseconds(200)
            if let time = a.question, time <= now { (a.question, b.inbox) = (nil, b.inbox + ["a-3"]) }
            if let time = b.question, time <= now { (b.question, a.inbox) = (nil, a.inbox + ["b-3"]) }
            switch Int.random(in: 0..<6, using: &random) {
            case 0 where !a.watch.isEstablished && !a.hasYielded:
                a.watch.establish()
                b.inbox.append("a-2")
            case 1 where !b.watch.isEstablished && !b.hasYielded:
                b.watch.establish()
                a.inbox.append("b-2")
            case 2, 3: if let message = a.takeOne(at: now) { b.inbox.append(message) }
            default: if let message = b.takeOne(at: now) { a.inbox.append(message) }
            }
        }
        #expect(a.hasYielded != b.hasYielded)
    }

    @Test(
        "An answer to another process is ignored, and the rate of answers to third-party echoes is limited"
    )
    func foreign() {
        var watch = TwinWatch(host: "attic", started: Self.late, instance: 1)
        func message(_ instance: String, to receiver: String) -> String {
            let object: JSON.Value = [
                "instance": .string(instance), "to": .string(receiver), "host": "h",
                "started": .string(Self.early.description), "established": true,
            ]
            return object.description
        }
        for text in [
            message("z", to: "another-1"), message("1", to: "1"), "{", "{}", "{\"instance\":1}",
            "{\"to\":\"1\"}",
        ] {
            let reaction = watch.heard(text, at: .zero) { $0.hasPrefix("own-") }
            #expect(reaction == .nothing, "\(text)")
        }
        var count = 0
        for number in 0..<100 {
            let reaction = watch.heard("foreign-\(number)", at: .milliseconds(number)) {
                $0.hasPrefix("own-")
            }
            if reaction != .nothing { count += 1 }
        }
        #expect(count == 10)
        let reaction = watch.heard(message("z", to: "own-3"), at: .zero) { $0.hasPrefix("own-") }
        #expect(reaction == .yield(to: .init(instance: "z", host: "h", started: Self.early.description)))
    }
}

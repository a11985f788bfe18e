import Messages
import Testing

@testable import MQTT

@Suite("Values")
struct ValueTests {
    @Test(
        "Delays grow from half a second to thirty, and are randomized",
        arguments: [
            (Backoff.Pace.remote, 0.0, [0.5, 1, 2, 4, 8, 15, 15]),
            (.remote, 0.999, [1, 2, 4, 8, 16, 30, 30]),
            (.local, 0.0, [0.5, 0.75, 0.75, 0.75]), (.local, 0.999, [1, 1.5, 1.5, 1.5]),
            (.other, 0.0, [0.1, 1, 2, 4]), (.other, 0.999, [0.2, 2, 4, 8]),
            (.refused, 0.0, [4, 4, 4, 4, 8, 15]), (.takenOver, 0.0, [2.5, 2.5, 2.5]),
            (.takenOver, 0.999, [5, 5, 5]),
        ] as [(Backoff.Pace, Double, [Double])])
    func backoff(pace: Backoff.Pace, random: Double, expected: [Double]) {
        var backoff = Backoff()
        for seconds in expected {
            let wait = backoff.next(pace, random: random)
            #expect(abs(wait / .seconds(1) - seconds) < 0.02 * seconds)
        }
    }

    @Test("An accepted connection resets the delay")
    func backoffReset() {
        var backoff = Backoff()
        for _ in 0..<6 { _ = backoff.next(.remote, random: 0) }
        backoff.connected()
        check(backoff.next(.remote, random: 0), is: .seconds(0.5))
    }

    @Test("Random client ids are unguessable and all different")
    func randomID() {
        let ends = Set((0..<1000).map { _ in Configuration.randomClientIDEnd() })
        #expect(ends.count == 1000)
        #expect(ends.allSatisfy(Configuration.isRandomClientIDEnd))
        for end in ["", "abc", "ABCDEFGHIJ", "abcdefghi/", "abcdefghijk"] {
            #expect(!Configuration.isRandomClientIDEnd(end))
        }
        var configuration = Configuration.local(1, "attic")
        configuration.useRandomClientID("tactile-bridge-attic", end: "abcdefghij")
        #expect(configuration.clientID == "tactile-bridge-attic-abcdefghij")
    }

    @Test("Overwritten topics are published again together after 0.5 s, each at most six times a minute")
    func overwritten() {
        var topics = OverwrittenTopics()
        var now = Duration.seconds(1)
        for _ in 0..<6 {
            let first = topics.note("b", at: now), second = topics.note("a", at: now)
            #expect(first == now + .milliseconds(500) && second == nil)
            now += .milliseconds(500)
            check(topics.take(at: now), is: ["a", "b"])
        }
        // The first round was at 1.5 s.
        check(topics.note("b", at: now), is: .seconds(61.5))
        // Another topic is independent of it.
        #expect(topics.note("c", at: now) == now + .milliseconds(500))
        #expect(topics.take(at: now + .milliseconds(500)) == ["c"])
        #expect(topics.next == .seconds(61.5))
        #expect(topics.take(at: .seconds(61.5)) == ["b"] && topics.next == nil)
    }

    /// An event for the choice of a version, with its expected result.
    enum VersionStep: Sendable {
        case accepted(Bool)
        case refused(Bool)
        case hungUp(Bool)
        case unanswered(Bool)
    }

    @Test(
        "A rejected version is replaced by the other one, and the version that worked is kept",
        arguments: [
            (.auto, [], .v5),
            (.auto, [.refused(true)], .v311),
            (.auto, [.refused(true), .accepted(true), .hungUp(false), .hungUp(false)], .v311),
            (.auto, [.refused(true), .refused(false)], .v5),
            (.auto, [.hungUp(false)], .v5),
            (.auto, [.hungUp(false), .hungUp(false)], .v311),
            (.auto, [.hungUp(false), .hungUp(false), .hungUp(false)], .v5),
            // A guess is verified: it is right, or wrong because the broker was still starting.
            (.auto, [.hungUp(false), .hungUp(false), .accepted(false)], .v5),
            (.auto, [.hungUp(false), .hungUp(false), .accepted(false), .hungUp(true)], .v311),
            (
                .auto, [.hungUp(false), .hungUp(false), .accepted(false), .hungUp(true), .accepted(true)],
                .v311
            ),
            (
                .auto, [.hungUp(false), .hungUp(false), .accepted(false), .accepted(true), .hungUp(false)],
                .v5
            ),
            (.auto, [.accepted(true), .hungUp(false), .hungUp(false), .hungUp(false)], .v5),
            // One unanswered attempt leads to a guess, which is verified in the same way.
            (.auto, [.unanswered(false)], .v311),
            (.auto, [.unanswered(false), .unanswered(false)], .v5),
            (.auto, [.unanswered(false), .accepted(false), .unanswered(true), .accepted(true)], .v311),
            (.auto, [.unanswered(false), .accepted(false), .accepted(true), .unanswered(false)], .v5),
            (.auto, [.accepted(true), .unanswered(false), .unanswered(false)], .v5),
            (.v5, [.unanswered(false), .unanswered(false)], .v5),
            (.v311, [.unanswered(false), .unanswered(false)], .v311),
            (.v5, [.refused(false), .hungUp(false), .hungUp(false), .accepted(true)], .v5),
            (.v311, [.refused(false), .hungUp(false), .hungUp(false), .accepted(true)], .v311),
        ] as [(Configuration.Version, [VersionStep], ProtocolVersion)])
    func versions(wanted: Configuration.Version, steps: [VersionStep], next: ProtocolVersion) {
        var versions = VersionChoice(wanted)
        for step in steps {
            switch step {
            case .accepted(let expected): check(versions.accepted(), is: expected)
            case .refused(let expected): check(versions.refused(), is: expected)
            case .hungUp(let expected): check(versions.hungUp(), is: expected)
            case .unanswered(let expected): check(versions.unanswered(), is: expected)
            }
        }
        #expect(versions.next == next)
    }

    @Test(
        "Three short connections in a row without a reason count as a takeover",
        arguments: [
            ([1, 1, 1], [false, false, true]),
            ([1, 1, 40, 1, 1, 1], [false, false, false, false, false, true]),
            ([1, 1, -1, 1, 1], [false, false, false, false, false]),
        ] as [([Int], [Bool])])
    func takeover(lifetimes: [Int], expected: [Bool]) {
        var watch = TakeoverWatch()
        // A negative lifetime stands for an end with a reason.
        let verdicts = lifetimes.map { watch.ended(after: .seconds(abs($0)), silently: $0 > 0) }
        #expect(verdicts == expected)
    }

    @Test("A failed attempt in between excludes a takeover")
    func noTakeover() {
        var watch = TakeoverWatch()
        for _ in 0..<2 { _ = watch.ended(after: .seconds(1), silently: true) }
        watch.attemptFailed()
        check(watch.ended(after: .seconds(1), silently: true), is: false)
    }

    @Test("Percentiles are accurate to an eighth")
    func latency() {
        var histogram = LatencyHistogram()
        for value in 1...1000 { histogram.record(.microseconds(value * 10)) }
        let summary = histogram.summary
        #expect(summary.count == 1000)
        #expect(summary.maximum == .microseconds(10_000))
        #expect(summary.median >= .microseconds(5_000) && summary.median <= .microseconds(5_625))
        #expect(summary.percentile99 >= .microseconds(9_900) && summary.percentile99 <= .microseconds(10_000))
    }

    @Test(
        "The bound of every bucket is at least each value counted in it",
        arguments: [0, 1, 7, 8, 9, 15, 16, 1_000])
    func latencyBuckets(microseconds: Int) {
        var histogram = LatencyHistogram()
        histogram.record(.microseconds(microseconds))
        #expect(histogram.summary.median == .microseconds(microseconds))
        histogram.record(.seconds(1_000_000))
        #expect(histogram.summary.median >= .microseconds(microseconds))
    }

    @Test("A queue keeps its order through operations at both ends and through compaction")
    func queue() {
        var queue = Queue<Int>()
        for value in 0..<300 { queue.append(value) }
        check((0..<200).map { _ in queue.popFirst() }, is: (0..<200).map(Optional.some))
        queue.prepend(contentsOf: [-2, -1])
        #expect(queue.first == -2 && queue.count == 102)
        check(queue.keep { $0 % 2 == 0 }, is: 51)
        check((0..<51).map { _ in queue.popFirst() }, is: [-2] + (100..<150).map { $0 * 2 })
        check(queue.popFirst(), is: nil)
        #expect(queue.isEmpty)
    }

    @Test("A password is never shown")
    func secret() {
        let configuration = Configuration(clientID: "a", username: "u", password: "hunter2")
        var dumped = ""
        dump(configuration, to: &dumped)
        let shown = "\(configuration) \(String(reflecting: configuration)) \(dumped)"
        #expect(!shown.contains("hunter2"))
        #expect(configuration.password?.value == "hunter2")
    }

    @Test(
        "The description of a broker is as configured",
        arguments: [
            (Configuration(clientID: ""), "localhost:1883"),
            (Configuration(clientID: "", tls: .init()), "localhost:8883"),
            (Configuration(host: "::1", port: 1884, clientID: ""), "[::1]:1884"),
            (Configuration(host: "/run/m.sock", clientID: ""), "/run/m.sock"),
        ])
    func broker(configuration: Configuration, name: String) {
        #expect(configuration.brokerDescription == name)
    }
}

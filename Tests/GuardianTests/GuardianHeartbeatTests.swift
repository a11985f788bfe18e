import Testing

@testable import Guardian

@Suite("The heartbeat of the guardian")
struct GuardianHeartbeatTests {
    private static let start = Duration.seconds(100)

    /// Checks repeatedly, at short intervals, for a time.
    private static func check(
        _ heartbeat: inout GuardianHeartbeat, from: Duration, to: Duration,
        answering: (UInt64) -> Bool = { _ in true }
    ) -> [GuardianHeartbeat.Action] {
        var actions: [GuardianHeartbeat.Action] = []
        var now = from
        while now <= to {
            let action = heartbeat.check(at: now)
            if action != .wait { actions.append(action) }
            if case .ping(let number) = action, answering(number) {
                heartbeat.answered(number, at: now + .milliseconds(1))
            }
            now += .milliseconds(10)
        }
        return actions
    }

    @Test("A guardian that answers is pinged each second and kept")
    func healthy() {
        var heartbeat = GuardianHeartbeat(at: Self.start)
        let actions = Self.check(&heartbeat, from: Self.start, to: Self.start + .seconds(10))
        #expect(actions == (1...9).map { .ping($0) })
    }

    @Test("A requested proof causes a ping immediately, and another one after a pending answer")
    func proof() {
        var heartbeat = GuardianHeartbeat(at: Self.start)
        heartbeat.ask(at: Self.start)
        var actions = [heartbeat.check(at: Self.start)]
        let later = Self.start + .milliseconds(3)
        heartbeat.ask(at: later)
        actions.append(heartbeat.check(at: later))
        heartbeat.answered(1, at: later)
        actions.append(heartbeat.check(at: later))
        // An answer counts once.
        heartbeat.answered(1, at: later)
        actions.append(heartbeat.check(at: later))
        heartbeat.answered(2, at: later)
        actions.append(heartbeat.check(at: later))
        #expect(actions == [.ping(1), .wait, .ping(2), .wait, .wait])
        #expect(heartbeat.nextCheck == later + .seconds(1))
    }

    @Test("Numbers continue, so that a late answer counts for no newer ping")
    func numbers() {
        var heartbeat = GuardianHeartbeat(at: Self.start, lastNumber: 7)
        heartbeat.ask(at: Self.start)
        let action = heartbeat.check(at: Self.start)
        #expect(action == .ping(8))
        heartbeat.answered(7, at: Self.start)
        #expect(heartbeat.nextCheck == Self.start + .seconds(2), "the answer to the eighth is awaited")
    }

    @Test("A guardian that does not answer is replaced two seconds after the ping")
    func silent() {
        var heartbeat = GuardianHeartbeat(at: Self.start)
        let early = Self.check(
            &heartbeat, from: Self.start, to: Self.start + .milliseconds(2990), answering: { _ in false })
        #expect(early == [.ping(1)])
        #expect(heartbeat.nextCheck == Self.start + .seconds(3))
        #expect(heartbeat.check(at: Self.start + .seconds(3)) == .replace)
    }

    @Test("After a delay of the bridge itself the guardian gets its full time again")
    func lateBridge() {
        var heartbeat = GuardianHeartbeat(at: Self.start)
        #expect(heartbeat.check(at: Self.start + .seconds(1)) == .ping(1))
        #expect(heartbeat.check(at: Self.start + .seconds(60)) == .wait)
        #expect(heartbeat.check(at: Self.start + .milliseconds(61_990)) == .wait)
        heartbeat.answered(1, at: Self.start + .seconds(61))
        #expect(heartbeat.check(at: Self.start + .seconds(62)) == .ping(2))
        #expect(heartbeat.check(at: Self.start + .seconds(64)) == .replace)
    }

    @Test("An answer to an earlier ping does not count")
    func stale() {
        var heartbeat = GuardianHeartbeat(at: Self.start)
        _ = Self.check(&heartbeat, from: Self.start, to: Self.start + .milliseconds(1500))
        #expect(heartbeat.check(at: Self.start + .seconds(3)) == .ping(2))
        heartbeat.answered(1, at: Self.start + .seconds(4))
        #expect(heartbeat.check(at: Self.start + .seconds(5)) == .replace)
    }
}

import DeviceKit
import Testing

/// Checks random sequences against the rules. The rules are evaluated from the whole history, independently of the
/// state of the gate.
@Suite("The motion gate admits nothing against its rules")
struct MotionGateRuleTests {
    private struct Dice: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    /// Everything that happened, in order.
    private struct History {
        var sent: [String: Duration] = [:]
        /// The echoes that came back: when they arrived, and when they were sent.
        var returned: [(at: Duration, sent: Duration)] = []
        var motions: [(at: Duration, lease: Duration, hold: Int?)] = []
        var stops: [Duration] = []
        /// The presses that a stop has ended.
        var ended: Set<Int> = []
        var resets: [Duration] = []
        let limits: MotionGate.Limits

        /// Whether the newest echo that had come back at a moment was recent enough.
        func isFresh(at moment: Duration) -> Bool {
            let reset = resets.last { $0 <= moment } ?? .zero
            let oldest = moment - limits.maxPathDelay
            // An echo arrives after it was sent, so arrivals before `oldest` need no check.
            return returned.reversed().lazy.drop { $0.at > moment }.prefix { $0.at >= max(reset, oldest) }
                .contains { $0.sent >= oldest }
        }

        /// Returns moments in steps of 10 ms. All events are on this grid, so that the history can be searched.
        private static func grid(_ begin: Duration, _ end: Duration) -> [Duration] {
            let count = Int((end - begin) / .milliseconds(10))
            return (0...count).map { begin + .milliseconds(10 * $0) }
        }

        /// Whether the quiet period since the last stop is over: no command that moves arrived, the path was fresh
        /// all the time, and an echo that was sent after the period came back.
        func hasLetGo(at now: Duration) -> Bool {
            guard let stop = stops.last else { return true }
            var quiet = stops.count == 1 ? limits.longestLease : Duration.milliseconds(500)
            for motion in motions where motion.at >= stop - .seconds(5) && motion.at <= stop {
                quiet = max(quiet, motion.lease)
            }
            var begin = stop
            for (end, lease) in motions.filter({ $0.at >= stop }).map({ ($0.at, $0.lease) }) + [(now, .zero)]
            {
                var start: Duration?
                for moment in Self.grid(begin, end) {
                    start = isFresh(at: moment) ? start ?? moment : nil
                    guard let start else { continue }
                    if returned.contains(where: { $0.at == moment && $0.sent - start >= quiet }) {
                        return true
                    }
                }
                begin = end
                quiet = max(quiet, lease)
            }
            return false
        }
    }

    @Test("Random commands, echoes, stops, links and times", arguments: 0..<40)
    func random(seed: UInt64) {
        var dice = Dice(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
        let limits = MotionGate.Limits(
            maxPathDelay: .milliseconds([300, 750, 2000][Int(seed % 3)]), longestLease: .seconds(2))
        var gate = MotionGate(limits, echoTopic: "echo")
        var history = History(limits: limits)
        var now = Duration.seconds(100)
        var (isLinked, isComplete, isGuarded, hasPower) = (true, true, true, true)
        gate.connected(at: now)
        gate.subscriptions(missing: [], at: now)
        gate.linked(at: now)
        gate.guarded(true)
        // The start of a bridge counts as a stop.
        history.stops.append(now)
        var outstanding: [String] = []
        var admitted = 0

        func stop(_ cause: MotionStop?) {
            if let cause { gate.stopped(cause, at: now) }
            history.stops.append(now)
            for motion in history.motions where now - motion.at <= .seconds(60) {
                if let hold = motion.hold { history.ended.insert(hold) }
            }
        }

        for step in 0..<600 {
            let isAtRest = (step / 40) % 2 == 1
            now += .milliseconds(
                10 * Int.random(in: 1...(isAtRest ? 12 : step % 7 == 0 ? 90 : 12), using: &dice))
            for order in gate.advance(to: now) where order == .stop {
                #expect(!history.isFresh(at: now), "seed \(seed): stopped although the way is fresh")
                stop(nil)
            }
            // Sometimes the joystick is released for a while and all inputs recover; otherwise nothing would ever
            // move.
            if isAtRest, !isLinked {
                isLinked = true
                gate.linked(at: now)
                isGuarded = false
            }
            if isAtRest, !isGuarded {
                isGuarded = true
                gate.guarded(true)
            }
            if isAtRest, !isComplete {
                isComplete = true
                gate.subscriptions(missing: [], at: now)
            }
            switch isAtRest ? 0 : Int.random(in: 0..<20, using: &dice) {
            case 0..<9:
                let value = "\(step)"
                gate.echoSent(value, at: now)
                history.sent[value] = now
                if isAtRest || Int.random(in: 0..<5, using: &dice) > 0 {
                    gate.echoReturned(value, at: now)
                    if isLinked { history.returned.append((now, now)) }
                } else {
                    outstanding.append(value)
                }
            case 9:
                guard let value = outstanding.popLast(), let sent = history.sent[value] else { continue }
                gate.echoReturned(value, at: now)
                if isLinked, sent >= history.resets.last ?? .zero { history.returned.append((now, sent)) }
            case 10 where step % 3 == 0: stop(MotionStop.allCases.randomElement(using: &dice))
            case 11 where step % 5 == 0:
                if isLinked {
                    gate.unlinked(at: now)
                    history.resets.append(now)
                    stop(nil)
                } else {
                    gate.linked(at: now)
                }
                isGuarded = false
                isLinked.toggle()
            case 12 where step % 5 == 0:
                isComplete.toggle()
                gate.subscriptions(missing: isComplete ? [] : ["stop"], at: now)
            case 13 where step % 3 == 0 && isLinked:
                isGuarded.toggle()
                gate.guarded(isGuarded)
            case 14 where step % 5 == 0: hasPower.toggle()
            default:
                let hold = Bool.random(using: &dice) ? Int.random(in: 0..<6, using: &dice) : nil
                let lease = Duration.milliseconds(Int.random(in: 1...30, using: &dice) * 100)
                let echo =
                    Bool.random(using: &dice) ? history.sent.keys.sorted().randomElement(using: &dice) : nil
                let isPower = Int.random(in: 0..<6, using: &dice) == 0
                let request = MotionRequest(isPower ? .power : .motion(lease: lease), hold: hold, echo: echo)
                let hadLetGo = history.hasLetGo(at: now)
                if !hadLetGo, let hold { history.ended.insert(hold) }
                gate.observe(request, hasPower: hasPower, at: now)
                if !isPower || !hasPower {
                    let time = isPower ? .milliseconds(500) : lease
                    history.motions.append((now, min(time, limits.longestLease), hold))
                }
                guard gate.judge(request, at: now) == .admitted else { continue }
                admitted += 1
                let what = "seed \(seed), step \(step)"
                #expect(isComplete, "\(what): moves without the subscription of a stop")
                #expect(isGuarded, "\(what): moves without a guardian")
                #expect(isLinked && history.isFresh(at: now), "\(what): moves by a late way")
                #expect(hadLetGo, "\(what): moves against a stop")
                if let hold { #expect(!history.ended.contains(hold), "\(what): an ended press moves") }
                if let echo {
                    #expect(
                        now - (history.sent[echo] ?? .zero) <= limits.maxPathDelay,
                        "\(what): a late sender moves")
                }
            }
        }
        #expect(admitted > 0, "seed \(seed): nothing was ever admitted")
    }
}

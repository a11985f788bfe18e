import Testing

@Suite("The ledgers of the soak detect violations")
struct LedgerTests {
    private static func taken(_ answers: [String], brokerEnds: Int? = nil) -> CommandLedger {
        var ledger = CommandLedger()
        let number = ledger.send("belt/stop/set", at: .zero)
        ledger.published(number, .taken)
        for (index, answer) in answers.enumerated() {
            if index == brokerEnds { ledger.connectionEnded() }
            ledger.answered(number, answer)
        }
        if brokerEnds == answers.count { ledger.connectionEnded() }
        return ledger
    }

    @Test("One answer is valid; none, two, and one without a command are not")
    func commands() {
        #expect(Self.taken(["ok"]).faults == [])
        #expect(Self.taken([]).faults.count == 1)
        #expect(Self.taken([]).owed == [0])
        #expect(Self.taken(["ok", "error"]).faults.count == 1)
        #expect(Self.taken(["ok", "ok"]).faults.count == 1)
        var ledger = Self.taken(["ok"])
        ledger.answered(7, "ok")
        #expect(ledger.faults == ["an answer to nothing: ok"])
    }

    @Test("When the broker ends, an answer may be lost or repeated, but a second one is a violation")
    func brokerEnds() {
        #expect(Self.taken([], brokerEnds: 0).faults == [])
        #expect(Self.taken(["ok", "ok"], brokerEnds: 1).faults == [])
        #expect(Self.taken(["ok", "ok"], brokerEnds: 1).repeats == 1)
        #expect(Self.taken(["ok", "error"], brokerEnds: 1).faults.count == 1)
    }

    @Test("A command that did not reach the bridge needs no answer, and may get one")
    func notDelivered() {
        var ledger = CommandLedger()
        let number = ledger.send("belt/stop/set", at: .zero)
        #expect(ledger.unpublished == 1)
        ledger.published(number, .lost)
        #expect(ledger.unpublished == 0 && ledger.faults == [])
        ledger.answered(number, "ok")
        #expect(ledger.faults == [])
        ledger.answered(number, "error")
        #expect(ledger.faults.count == 1)
    }

    @Test("Numbers are consecutive; gaps and repeats are counted, and a number that returns is a violation")
    func events() {
        var ledger = EventLedger()
        func note(_ number: Int, _ payload: String, mayRestart: Bool = false) -> Bool {
            ledger.note("belt/button", number: number, payload: payload, mayRestart: mayRestart)
        }
        #expect(note(1, "a") && note(2, "b"))
        #expect(!note(2, "b"))
        #expect(ledger.faults == [] && ledger.repeats == 1 && ledger.arrived == 2)
        #expect(note(5, "c"))
        #expect(ledger.missing == 2 && ledger.faults.count == 1)
        #expect(note(1, "d", mayRestart: true))
        #expect(ledger.faults.count == 1)
        #expect(note(2, "e") && note(1, "f"))
        #expect(ledger.faults.count == 2)
    }

    @Test(
        "Notified taps arrive once and in order",
        arguments: [
            ([1, 2, 3, 5], 0), ([1, 3, 5], 1), ([1, 2, 3], 1), ([1, 2, 2, 3, 5], 1), ([1, 2, 3, 4, 5], 1),
            ([2, 1, 3, 5], 2), ([], 4),
        ])
    func taps(published: [Int], faults: Int) {
        var ledger = TapLedger()
        for second in 0..<5 {
            let combination = ledger.tap("t1", at: .seconds(second))
            if second == 3 { ledger.unheard("t1", combination) }
        }
        for combination in published { ledger.publish("t1", combination) }
        #expect(ledger.faults(of: ["t1"]).count == faults)
    }

    @Test("A tap that equals an earlier one waits until the fate of the earlier one is known")
    func ambiguousTaps() {
        var ledger = TapLedger()
        for _ in 0..<TapLedger.combinations {
            #expect(!ledger.isAmbiguous("t1"))
            _ = ledger.tap("t1", at: .zero)
        }
        #expect(ledger.isAmbiguous("t1") && !ledger.isAmbiguous("t2"))
        ledger.unheard("t1", 1)
        ledger.settle()
        #expect(!ledger.isAmbiguous("t1"))
        #expect(ledger.tap("t1", at: .zero) == 1)
        for combination in Array(2...TapLedger.combinations) + [1] { ledger.publish("t1", combination) }
        #expect(ledger.faults(of: ["t1"]) == [])
    }

    @Test("Wheels may turn until the lease of the last drive ends, and not later")
    func wheels() {
        func faults(_ body: (inout WheelLedger) -> Void) -> Int {
            var ledger = WheelLedger()
            body(&ledger)
            return ledger.faults.count
        }
        let late: Duration = .seconds(12) + WheelLedger.tolerance
        func drive(_ ledger: inout WheelLedger) {
            ledger.drive("r1", number: 1, lease: .seconds(1), at: .seconds(10))
            ledger.passed(1, at: .seconds(11))
            ledger.wheels("r1", turning: true, at: .seconds(11))
        }
        #expect(faults { $0.wheels("r1", turning: true, at: .seconds(1)) } == 1)
        #expect(
            faults {
                drive(&$0)
                $0.wheels("r1", turning: false, at: late)
                $0.finish(at: .seconds(100))
            } == 0)
        #expect(
            faults {
                drive(&$0)
                $0.wheels("r1", turning: false, at: late + .milliseconds(1))
            } == 1)
        #expect(
            faults {
                drive(&$0)
                $0.finish(at: .seconds(100))
            } == 1)
        #expect(
            faults {
                drive(&$0)
                $0.replaced()
                $0.finish(at: .seconds(100))
            } == 0)
    }

    @Test("The same seed produces the same plan, another seed another, and a minute has every calamity")
    func plan() {
        let actions = Plan(seed: 7, length: .seconds(60)).steps.map(\.action)
        #expect(actions == Plan(seed: 7, length: .seconds(60)).steps.map(\.action))
        #expect(actions != Plan(seed: 8, length: .seconds(60)).steps.map(\.action))
        for kind in [SoakAction.stopBroker, .startBroker, .freezeBroker, .thawBroker, .restartBlueZ] {
            #expect(actions.contains(kind), "\(kind)")
        }
        let reloads = actions.count { if case .reload = $0 { true } else { false } }
        #expect(reloads >= 4)
    }
}

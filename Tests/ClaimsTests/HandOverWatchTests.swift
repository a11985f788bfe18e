import BridgeContract
import Claims
import Testing

@Suite("Reasons of hand-overs to this bridge")
struct HandOverWatchTests {
    private enum Step {
        case linked, storedLink, released, storedRelease, died, advertised
    }

    private static func claim(_ state: Claim.State, isStored: Bool = false) -> Claim {
        Claim(bridge: "cellar", epoch: 4, state: state, isStored: isStored)
    }

    private static func watch(_ steps: [(Step, Int)]) -> HandOverWatch {
        var watch = HandOverWatch()
        for (step, milliseconds) in steps {
            let now = Duration.milliseconds(milliseconds)
            switch step {
            case .linked: watch.heard(claim(.linked), at: now)
            case .storedLink: watch.heard(claim(.linked, isStored: true), at: now)
            case .released: watch.heard(claim(.released), at: now)
            case .storedRelease: watch.heard(claim(.released, isStored: true), at: now)
            case .died: watch.holderDied(at: now)
            case .advertised: watch.advertised(at: now)
            }
        }
        return watch
    }

    private static let table: [(steps: [(Step, Int)], reason: HandOverReason, time: Int?)] = [
        ([(.linked, 0), (.released, 5000)], .released, 5000),
        ([(.storedRelease, 0)], .released, nil),
        ([(.linked, 0), (.died, 6000), (.died, 9000)], .died, 4000),
        ([(.linked, 0), (.advertised, 999), (.died, 6000)], .died, 4000),
        // The advertisement arrives first, the claim later.
        ([(.linked, 0), (.advertised, 1000), (.advertised, 4000)], .advertised, 9000),
        ([(.linked, 0), (.advertised, 4000), (.released, 6000)], .released, 6000),
        // An end is not repeated, and a new link cancels it.
        ([(.linked, 0), (.released, 2000), (.advertised, 4000), (.died, 5000)], .released, 8000),
        ([(.linked, 0), (.released, 2000), (.linked, 3000)], .contested, nil),
        ([(.storedLink, 0), (.died, 5000)], .died, 5000),
        ([(.died, 0)], .contested, nil), ([], .contested, nil),
    ]

    @Test("A hand-over has the reason and the time since its first sign", arguments: table.indices)
    func reasons(_ index: Int) {
        let (steps, reason, time) = Self.table[index]
        var watch = Self.watch(steps)
        let taken = watch.take(at: .seconds(10))
        #expect(taken.reason == reason)
        #expect(taken.time == time.map { Duration.milliseconds($0) })
        #expect(watch.take(at: .seconds(11)).reason == .contested)
    }
}

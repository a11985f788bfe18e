import Claims
import DeviceKit
import JSON
import Testing

@Suite("Activity that another bridge hands over")
struct HandOverTests {
    private static let intent: [String: JSON.Value] = ["aim": ["direction": 90]]
    private static let life = Duration.seconds(10)

    private static func claim(
        _ state: Claim.State, stored: Bool = false, since: Int64 = 100_000, bridge: String = "attic"
    ) -> Claim {
        Claim(
            bridge: bridge, epoch: 7, state: state, since: TimeStamp(milliseconds: since).description,
            isStored: stored)
    }

    private func handOver(_ claim: Claim, at moment: Duration = .seconds(50), date: Int64 = 100_000)
        -> HandOver
    {
        var handOver = HandOver()
        handOver.heard(claim, Self.intent, at: moment, date: TimeStamp(milliseconds: date))
        return handOver
    }

    @Test(
        "The activity is resumed within its lifetime, counted from the end of the other link",
        arguments: [9, 10, 11])
    func released(_ seconds: Int) {
        var handOver = handOver(Self.claim(.released))
        let now = Duration.seconds(50 + seconds)
        let outcome = handOver.take(life: Self.life, at: now)
        #expect(
            outcome
                == (seconds <= 10 ? .resume(Self.intent, arrival: .seconds(50)) : .lapsed(["aim"])))
        #expect(handOver.take(life: Self.life, at: now) == .nothing)
    }

    @Test("A repeated claim does not renew the activity, and a claim of another end does")
    func saidAgain() {
        func repeated(since: Int64) -> HandOver {
            var handOver = handOver(Self.claim(.released))
            handOver.heard(
                Self.claim(.released, since: since), Self.intent, at: .seconds(58),
                date: TimeStamp(milliseconds: 108_000))
            return handOver
        }
        var same = repeated(since: 100_000)
        #expect(same.take(life: Self.life, at: .seconds(61)) == .lapsed(["aim"]))
        var other = repeated(since: 104_000)
        #expect(
            other.take(life: Self.life, at: .seconds(61)) == .resume(Self.intent, arrival: .seconds(58)))
    }

    @Test(
        "A repetition of a retained claim does not renew the activity, and the end of another bridge's link does"
    )
    func storedThenLive() {
        func repeated(bridge: String) -> HandOver {
            var handOver = handOver(Self.claim(.released, stored: true, since: 95_000))
            handOver.heard(
                Self.claim(.released, since: 95_000, bridge: bridge), Self.intent, at: .seconds(52),
                date: TimeStamp(milliseconds: 102_000))
            return handOver
        }
        var same = repeated(bridge: "attic")
        #expect(same.take(life: Self.life, at: .seconds(56)) == .lapsed(["aim"]))
        var other = repeated(bridge: "cellar")
        #expect(
            other.take(life: Self.life, at: .seconds(56)) == .resume(Self.intent, arrival: .seconds(52)))
    }

    @Test("The activity is current while no end of its link is known, and ages once its bridge is offline")
    func linked() {
        var alive = handOver(Self.claim(.linked))
        #expect(
            alive.take(life: Self.life, at: .seconds(500)) == .resume(Self.intent, arrival: .seconds(50)))
        var dead = handOver(Self.claim(.linked))
        dead.holderDied(at: .seconds(60))
        dead.holderDied(at: .seconds(69))
        #expect(dead.take(life: Self.life, at: .seconds(71)) == .lapsed(["aim"]))
    }

    @Test(
        "A retained activity has the age of its date, and is discarded without a plausible date")
    func stored() {
        var young = handOver(Self.claim(.released, stored: true, since: 95_000))
        #expect(
            young.take(life: Self.life, at: .seconds(55)) == .resume(Self.intent, arrival: .seconds(50)))
        var old = handOver(Self.claim(.released, stored: true, since: 95_000))
        #expect(old.take(life: Self.life, at: .seconds(56)) == .lapsed(["aim"]))
        for claim in [
            Self.claim(.linked, stored: true), Self.claim(.released, stored: true, since: 200_000),
        ] {
            var handOver = handOver(claim)
            #expect(handOver.take(life: Self.life, at: .seconds(50)) == .nothing)
        }
    }

    @Test("A newer command cancels the activity, and a family without hand-over never resumes it")
    func ended() {
        var cancelled = handOver(Self.claim(.released))
        cancelled.cancel()
        #expect(cancelled.take(life: Self.life, at: .seconds(50)) == .nothing)
        var never = handOver(Self.claim(.released))
        #expect(never.take(life: nil, at: .seconds(50)) == .nothing)
    }
}

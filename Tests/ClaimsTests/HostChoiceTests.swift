import Bluetooth
import Testing

@testable import Claims

@Suite("Choice of the host that connects to a device")
struct HostChoiceTests {
    private static let tuning = HostChoice.Tuning()
    private let free = HostChoice.Load()

    private static func choice(_ strengths: Int...) -> HostChoice {
        var choice = HostChoice()
        for strength in strengths { choice.heard(rssi: strength) }
        return choice
    }

    private static func offer(_ score: Int) -> Offer {
        Offer(bridge: "a", address: "C0:FF:EE:00:00:01", score: score, epoch: 1)
    }

    @Test(
        "The score is the smoothed signal strength, less while another link is established, much less on the last slot",
        arguments: [
            ([-60], HostChoice.Load(), -60), ([-60, -90], HostChoice.Load(), -70),
            ([-60], HostChoice.Load(isConnecting: true), -68),
            ([-60], HostChoice.Load(freeSlots: 2), -60), ([-60], HostChoice.Load(freeSlots: 1), -85),
            ([-60], HostChoice.Load(isConnecting: true, freeSlots: 1), -93),
            ([-60], HostChoice.Load(lacksBond: true), -120),
            ([-60], HostChoice.Load(preference: .elsewhere), -120),
            ([-60], HostChoice.Load(preference: .here), -60),
            (
                [-120], HostChoice.Load(freeSlots: 1, lacksBond: true, preference: .elsewhere),
                HostChoice.worst
            ),
        ])
    func score(strengths: [Int], load: HostChoice.Load, score: Int) {
        var choice = HostChoice()
        #expect(choice.score(load) == nil)
        for strength in strengths { choice.heard(rssi: strength) }
        #expect(choice.score(load) == score)
    }

    @Test(
        "A device with a strong signal is connected immediately, and others after a wait per decibel",
        arguments: [
            (-40, 0), (-50, 0), (-51, 1), (-70, 20), (-92, 42),
        ])
    func waits(strength: Int, decibels: Int) {
        var choice = Self.choice(strength)
        let start = Duration.seconds(5)
        let end = start + Self.tuning.pausePerDecibel * decibels
        let first = choice.decide(free, isAlone: false, chance: 0, at: start)
        guard decibels > 0 else {
            #expect(first == .connect(offer: strength))
            return
        }
        #expect(first == .wait(until: end))
        // A query in between does not restart the wait.
        #expect(
            choice.decide(free, isAlone: false, chance: 0.9, at: start + .milliseconds(1))
                == .wait(until: end))
        #expect(choice.decide(free, isAlone: false, chance: 0, at: end) == .connect(offer: strength))
    }

    @Test("A random wait separates bridges with equal signals")
    func jitter() {
        var choice = Self.choice(-50)
        #expect(
            choice.decide(free, isAlone: false, chance: 0.5, at: .zero)
                == .wait(until: Self.tuning.jitter * 0.5))
    }

    @Test("A bridge without others does not wait, and publishes no offer")
    func alone() {
        var choice = Self.choice(-90)
        choice.heard(Self.offer(-40), at: .zero)
        #expect(choice.decide(free, isAlone: true, chance: 1, at: .zero) == .connect(offer: nil))
    }

    @Test("A clearly better offer causes a pause, at most twice in a row")
    func quiet() {
        var choice = Self.choice(-50)
        var now = Duration.zero
        for _ in 0..<Self.tuning.quietRounds {
            choice.heard(Self.offer(-45), at: now)
            let end = now + Self.tuning.quiet
            #expect(
                choice.decide(free, isAlone: false, chance: 0, at: now) == .wait(until: end, .betterOffer))
            now = end
            _ = choice.decide(free, isAlone: false, chance: 0, at: now)
        }
        choice.heard(Self.offer(-45), at: now)
        #expect(choice.decide(free, isAlone: false, chance: 0, at: now) == .connect(offer: -50))
    }

    @Test("After a reset earlier pauses and signal strengths do not count")
    func reset() {
        var choice = Self.choice(-50)
        choice.heard(Self.offer(-40), at: .zero)
        choice.reset()
        #expect(choice.score(free) == nil)
        choice.heard(rssi: -80)
        #expect(choice.score(free) == -80)
        let end = Self.tuning.pausePerDecibel * 30
        #expect(choice.decide(free, isAlone: false, chance: 0, at: .zero) == .wait(until: end))
    }

    @Test(
        "An offer that is not clearly better, or too old, is ignored",
        arguments: [
            (-51, 0.0), (-50, 0.0), (-40, 3.0),
        ])
    func worse(score: Int, age: Double) {
        var choice = Self.choice(-50)
        choice.heard(Self.offer(score), at: .zero)
        #expect(choice.decide(free, isAlone: false, chance: 0, at: .seconds(age)) == .connect(offer: -50))
    }

    @Test("Of several offers the best counts while it is valid")
    func best() {
        var choice = Self.choice(-50)
        choice.heard(Self.offer(-40), at: .zero)
        choice.heard(Self.offer(-60), at: .seconds(1))
        let end = Self.tuning.quiet
        #expect(
            choice.decide(free, isAlone: false, chance: 0, at: .seconds(1)) == .wait(until: end, .betterOffer)
        )
        choice.heard(Self.offer(-60), at: .seconds(3))
        #expect(choice.decide(free, isAlone: false, chance: 0, at: .seconds(3)) == .connect(offer: -50))
    }

    @Test(
        "An adapter without a free slot connects to no device, even without other bridges",
        arguments: [false, true])
    func full(isAlone: Bool) {
        var choice = Self.choice(-50)
        let load = HostChoice.Load(freeSlots: 0)
        #expect(choice.decide(load, isAlone: isAlone, chance: 0, at: .zero) == .full)
        #expect(
            choice.decide(free, isAlone: isAlone, chance: 0, at: .seconds(1))
                == .connect(offer: isAlone ? nil : -50))
    }

    @Test(
        "The bridge that the roster prefers does not wait; the others leave it priority, and report the reason"
    )
    func preference() {
        var here = Self.choice(-90)
        #expect(
            here.decide(.init(preference: .here), isAlone: false, chance: 1, at: .zero)
                == .connect(offer: -90))
        var elsewhere = Self.choice(-50)
        let load = HostChoice.Load(preference: .elsewhere)
        let end = Self.tuning.headStart + Self.tuning.pausePerDecibel * HostChoice.strangerDeduction
        #expect(
            elsewhere.decide(load, isAlone: false, chance: 0, at: .zero)
                == .wait(until: end, .preferredElsewhere))
        // The preferred bridge receives the device much worse, and still has priority.
        elsewhere.heard(Self.offer(-90), at: .milliseconds(10))
        #expect(
            elsewhere.decide(load, isAlone: false, chance: 0, at: .milliseconds(10))
                == .wait(until: .milliseconds(10) + Self.tuning.quiet, .preferredElsewhere))
        // It does not connect: another bridge has the device in the end.
        #expect(
            elsewhere.decide(load, isAlone: false, chance: 0, at: .seconds(30))
                == .wait(
                    until: .seconds(30) + end, .preferredElsewhere))
        #expect(
            elsewhere.decide(load, isAlone: false, chance: 0, at: .seconds(30) + end) == .connect(offer: -110)
        )
    }

    @Test("A host without a required bond leaves the device to a host with one, and connects if none does")
    func bond() {
        var choice = Self.choice(-50)
        let load = HostChoice.Load(lacksBond: true)
        choice.heard(Self.offer(-90), at: .zero)
        #expect(
            choice.decide(load, isAlone: false, chance: 0, at: .zero)
                == .wait(until: Self.tuning.quiet, .lacksBond))
        let pause = Self.tuning.pausePerDecibel * HostChoice.strangerDeduction
        #expect(
            choice.decide(load, isAlone: false, chance: 0, at: .seconds(10))
                == .wait(
                    until: .seconds(10) + pause, .lacksBond))
        #expect(
            choice.decide(load, isAlone: false, chance: 0, at: .seconds(10) + pause) == .connect(offer: -110))
    }
}

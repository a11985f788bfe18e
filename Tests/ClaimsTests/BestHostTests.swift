import Bluetooth
import BridgeContract
import DeviceKit
import Testing

@testable import Claims

@Suite("Moves of a device with a link to a better host")
struct BestHostTests {
    private static let limits = BridgeSettings.Moves()

    /// A device received with this strength by the host with the link.
    private static func best(_ strength: Int? = -70) -> BestHost {
        var best = BestHost()
        best.linked(strength: strength, at: .zero)
        return best
    }

    /// An idle device that advertises while it has a link.
    private static let idle = BestHost.Situation(advertises: true)

    private static func offer(_ score: Int, from bridge: String = "cellar") -> Offer {
        Offer(bridge: bridge, address: "C0:FF:EE:00:00:01", score: score, epoch: 1)
    }

    /// Passes an offer every ten seconds, and returns when and to which bridge the device moves; nil if it stays.
    private func run(
        _ best: inout BestHost, from start: Int = 0, to end: Int, own: Int? = nil,
        offers: [(bridge: String, score: Int)] = [], _ situation: BestHost.Situation = idle,
        limits: BridgeSettings.Moves = limits
    ) -> (second: Int, bridge: String)? {
        for second in stride(from: start, through: end, by: 10) {
            let now = Duration.seconds(second)
            if let own { best.measured(own, at: now) }
            for offer in offers { best.heard(Self.offer(offer.score, from: offer.bridge), at: now) }
            if let move = best.decide(situation, at: now, by: limits) { return (second, move) }
        }
        return nil
    }

    @Test(
        "It moves when another host is better by the margin for the time; on a weak link half the margin is enough, and the second offer",
        arguments: [
            (-70, -61, nil), (-70, -60, 30), (-86, -82, nil), (-86, -81, 10), (-85, -75, 30), (-85, -76, nil),
        ] as [(Int, Int, Int?)])
    func margin(own: Int, other: Int, second: Int?) {
        var best = Self.best(own)
        let move = run(&best, to: 300, own: own, offers: [("cellar", other)])
        #expect(move?.second == second)
        #expect(move.map { $0.bridge == "cellar" } ?? true)
    }

    @Test("The strongest of several hosts gets it, and hosts that offer in turn do not restart the time")
    func several() {
        var best = Self.best()
        let move = run(&best, to: 100, own: -70, offers: [("barn", -55), ("cellar", -50), ("dome", -50)])
        #expect(move?.second == 30)
        #expect(move?.bridge == "cellar")
    }

    @Test("The time restarts when the host with the link receives it better in between")
    func interrupted() {
        var best = Self.best()
        #expect(run(&best, to: 20, own: -70, offers: [("cellar", -58)]) == nil)
        for _ in 0..<10 { best.measured(-50, at: .seconds(21)) }
        #expect(run(&best, from: 21, to: 21) == nil)
        for _ in 0..<20 { best.measured(-70, at: .seconds(25)) }
        #expect(run(&best, from: 30, to: 100, own: -70, offers: [("cellar", -58)])?.second == 60)
    }

    @Test("An offer counts for 60 s, and a measurement too")
    func age() {
        var best = Self.best()
        best.heard(Self.offer(-50), at: .seconds(10))
        #expect(best.score(Self.idle, at: .seconds(60)) == -70)
        #expect(best.score(Self.idle, at: .seconds(61)) == HostChoice.worst)
        #expect(run(&best, from: 71, to: 71) == nil)
        best.heard(Self.offer(-90), at: .seconds(80))
        #expect(run(&best, from: 89, to: 89) == nil)
        // The host with the link has not received it for a minute, so any other host is better.
        #expect(run(&best, from: 90, to: 90)?.bridge == "cellar")
    }

    @Test("It does not move while it is busy, and moves when it is idle again")
    func busy() {
        var best = Self.best()
        let offers = [(bridge: "cellar", score: -50)]
        #expect(run(&best, to: 600, own: -70, offers: offers, .init(advertises: true, isBusy: true)) == nil)
        #expect(run(&best, from: 610, to: 610, own: -70, offers: offers)?.second == 610)
    }

    @Test(
        "It moves at most the given number of times an hour, whichever bridges moved it",
        arguments: [0, 1, 4])
    func limit(_ count: Int) {
        var best = BestHost()
        var limits = Self.limits
        limits.perHour = count
        var moves: [Int] = []
        for second in stride(from: 0, to: 7200, by: 10) {
            let now = Duration.seconds(second)
            if moves.last.map({ second == $0 + 10 }) ?? (second == 0) { best.linked(strength: -70, at: now) }
            best.measured(-70, at: now)
            best.heard(Self.offer(-50), at: now)
            guard best.decide(Self.idle, at: now, by: limits) != nil else { continue }
            moves.append(second)
            // Every second move is that of another bridge, whose claim is repeated.
            let date = TimeStamp(milliseconds: Int64(second) * 1000)
            if moves.count.isMultiple(of: 2) {
                best.moved(to: "cellar", at: now, date: date)
            } else {
                let claim = Claim(bridge: "cellar", epoch: 1, state: .released, moves: best.moves + [date])
                for _ in 0..<2 { best.heard(claim, at: now, date: date) }
            }
            best.unlinked()
        }
        #expect(moves.count == 2 * count)
        #expect(moves.allSatisfy { moment in moves.count { $0 > moment - 3600 && $0 <= moment } <= count })
    }

    @Test(
        "A device that does not advertise while it has a link moves only to a preferred bridge, ever more rarely if that fails"
    )
    func silent() {
        var best = Self.best()
        let silent = BestHost.Situation(advertises: false)
        #expect(run(&best, to: 600, own: -90, offers: [("cellar", -40)], silent) == nil)
        var situation = BestHost.Situation(advertises: false, isBusy: true, preferred: ["barn", "dome"])
        #expect(run(&best, from: 610, to: 610, situation) == nil)
        situation.isBusy = false
        #expect(run(&best, from: 620, to: 630, situation)?.bridge == "barn")
        #expect(run(&best, from: 640, to: 650, situation)?.bridge == "dome")
        #expect(run(&best, from: 660, to: 4210, situation) == nil)
        #expect(run(&best, from: 4220, to: 4220, situation)?.bridge == "barn")
        #expect(run(&best, from: 4230, to: 4240, situation)?.bridge == "dome")
        #expect(run(&best, from: 4250, to: 11_410, situation) == nil)
        #expect(run(&best, from: 11_420, to: 11_420, situation)?.bridge == "barn")
    }

    @Test(
        "A device that advertises moves to a preferred bridge only after its offers, whatever the strengths")
    func preferred() {
        let situation = BestHost.Situation(advertises: true, preferred: ["barn"])
        var best = Self.best(-40)
        #expect(run(&best, to: 600, own: -40, situation) == nil)
        #expect(best.score(situation, at: .seconds(600)) == -100)
        // Its link counts as weak, so the second offer is sufficient.
        #expect(run(&best, from: 610, to: 700, own: -40, offers: [("barn", -90)], situation)?.second == 620)
    }

    @Test("An advertisement proves that the device advertises, from a second after the link on")
    func proof() {
        var best = BestHost()
        #expect(!best.isProof(at: .zero))
        best.linked(strength: nil, at: .seconds(1))
        #expect(!best.isProof(at: .milliseconds(1999)))
        #expect(best.isProof(at: .seconds(2)))
        best.unlinked()
        #expect(!best.isProof(at: .seconds(10)))
    }

    @Test("The score in the claim follows clear changes, every ten seconds at most")
    func stated() {
        var best = Self.best()
        #expect(best.restate(.init(advertises: false), at: .seconds(1)) == false)
        var changes: [Int] = []
        for second in 1...140 {
            let strength = second < 40 ? [-73, -67][second % 2] : second < 60 ? -70 + second - 40 : -50
            if second < 70 { best.measured(strength, at: .seconds(second)) }
            if best.restate(Self.idle, at: .seconds(second)) { changes.append(second) }
        }
        #expect(changes.first == 1)
        #expect(zip(changes, changes.dropFirst()).allSatisfy { $1 - $0 >= 10 })
        #expect(changes.count == 4)
        // The last measurement is too old.
        #expect(changes.last == 130)
        #expect(best.stated == HostChoice.worst)
        #expect(best.isRepetitionDue(Self.idle, at: .seconds(135)) == false)
        best.linked(strength: -60, at: .seconds(150))
        #expect(best.restate(Self.idle, at: .seconds(150)) == true)
        #expect(best.stated == -60)
        best.measured(-66, at: .seconds(155))
        #expect(best.restate(Self.idle, at: .seconds(170)) == false)
        #expect(best.isRepetitionDue(Self.idle, at: .seconds(170)) == true)
        #expect(best.stated == -62)
    }

    @Test("The bridge to which it was moved is known until the next link")
    func successor() {
        var best = Self.best()
        best.moved(to: "cellar", at: .seconds(5), date: TimeStamp(milliseconds: 5000))
        best.unlinked()
        #expect(best.successor == "cellar")
        best.linked(strength: nil, at: .seconds(9))
        #expect(best.successor == nil)
    }
}

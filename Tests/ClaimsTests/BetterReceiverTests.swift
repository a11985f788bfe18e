import Bluetooth
import Claims
import Testing

@Suite("The bridge that receives a device that only advertises")
struct BetterReceiverTests {
    private func offer(_ score: Int, from bridge: String = "cellar") -> Offer {
        Offer(bridge: bridge, address: "C0:FF:EE:00:00:01", score: score, epoch: 1)
    }

    @Test(
        "The second offer counts, if it comes 30 s later and is at least 8 dB better",
        arguments: [
            ([-60, -60], [0, 30], true), ([-60, -60], [0, 29], false), ([-63, -63], [0, 30], false),
            ([-60, -63, -60], [0, 30, 60], false), ([-60, -63, -60, -60], [0, 30, 60, 90], true),
        ])
    func margin(_ scores: [Int], _ times: [Int], _ isLeft: Bool) {
        var receiver = BetterReceiver()
        var last = false
        for (score, time) in zip(scores, times) {
            let now = Duration.seconds(time)
            last = receiver.heard(offer(score), score: -70, heardAt: now, at: now)
        }
        #expect(last == isLeft)
    }

    @Test("A bridge that does not receive the device leaves it to any other bridge")
    func absent() {
        var receiver = BetterReceiver()
        #expect(receiver.heard(offer(-95), score: -40, heardAt: .zero, at: .seconds(60)) == false)
        #expect(receiver.heard(offer(-95), score: -40, heardAt: .zero, at: .seconds(90)) == true)
    }

    @Test("An offer that arrives ahead of the advertisement itself does not count")
    func ahead() {
        var receiver = BetterReceiver()
        for minute in [10, 20, 30] {
            let now = Duration.seconds(60 * minute)
            #expect(receiver.heard(offer(-60), score: nil, heardAt: now - .seconds(600), at: now) == false)
            receiver.advertised(score: -62)
        }
    }

    @Test("Offers of different bridges are not one")
    func bridges() {
        var receiver = BetterReceiver()
        #expect(receiver.heard(offer(-50), score: -80, heardAt: .zero, at: .zero) == false)
        #expect(
            receiver.heard(offer(-50, from: "barn"), score: -80, heardAt: .zero, at: .seconds(30)) == false)
    }

    @Test("A bridge repeats its offer each 30 s")
    func pace() {
        var receiver = BetterReceiver()
        let due = (0..<61).filter { receiver.isOfferDue(at: .seconds($0)) }
        #expect(due == [0, 30, 60])
    }
}

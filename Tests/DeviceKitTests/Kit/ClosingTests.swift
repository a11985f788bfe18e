import DeviceKit
import Testing

@Suite("Last writes and periodic actions")
struct ClosingTests {
    @Test("A link is closed after the last writes, and immediately if there are none")
    func words() {
        let closing = ClosingWords(within: .seconds(1))
        var effects = Effects()
        closing.begin(hasWords: false, &effects)
        #expect(effects.list == [.disconnect])
        effects.removeAll()
        closing.begin(hasWords: true, &effects)
        closing.finish(&effects)
        #expect(
            effects.list == [.startTimer("close", after: .seconds(1)), .cancelTimer("close"), .disconnect])
    }

    @Test(
        "The time limit for the last writes disconnects only a link that is being closed",
        arguments: [(LinkPhase.closing, 1), (.online, 0), (.handshake, 0), (.offline, 0)])
    func late(_ phase: LinkPhase, _ count: Int) {
        var effects = Effects()
        ClosingWords(within: .seconds(1)).isLate(in: phase, &effects)
        #expect(effects.list.count == count)
    }

    @Test("A periodic action waits for its period every time")
    func keepAlive() {
        let refresh = KeepAlive("refresh", every: .seconds(10))
        var effects = Effects()
        refresh.arm(&effects)
        refresh.arm(&effects)
        #expect(effects.list == Array(repeating: .startTimer("refresh", after: .seconds(10)), count: 2))
    }
}

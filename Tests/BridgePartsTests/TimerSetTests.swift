import BridgeTesting
import Synchronization
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Timers driven by a clock")
struct TimerSetTests {
    /// A set of timers on a virtual clock, and a log of the expired ones.
    private final class Shop: Sendable {
        let time: VirtualTime
        private let timers = Mutex(TimerSet<String>())
        private let log = Mutex<[String]>([])

        init() { time = VirtualTime(executor: ManualExecutor()) }

        var rung: [String] { log.withLock { $0 } }

        func start(_ name: String, at deadline: Duration) {
            timers.withLock { $0.start(name, at: deadline, on: time) { [weak self] in self?.ring() } }
        }

        func stop(_ name: String) { timers.withLock { $0.cancel(name) } }

        func end() { timers.withLock { $0.end() } }

        func runs(_ name: String) -> Bool { timers.withLock { $0.runs(name) } }

        private func ring() {
            for ticket in timers.withLock({ $0.rang(at: time.now) }) {
                guard timers.withLock({ $0.take(ticket) }) else { continue }
                log.withLock { $0.append(ticket.key) }
                if ticket.key == "first" { stop("second") }
            }
            timers.withLock { $0.goOn(on: time) { [weak self] in self?.ring() } }
        }
    }

    @Test("Each timer expires at its time, whatever the order in which they were started")
    func order() {
        let shop = Shop()
        let start = shop.time.now
        shop.start("late", at: start + .seconds(3))
        shop.start("early", at: start + .seconds(1))
        shop.start("moved", at: start + .seconds(1))
        shop.start("moved", at: start + .seconds(2))
        shop.time.advance(by: .seconds(1))
        #expect(shop.rung == ["early"] && shop.runs("moved") && !shop.runs("early"))
        shop.time.advance(by: .seconds(2))
        #expect(shop.rung == ["early", "moved", "late"])
    }

    @Test("A timer that is canceled by an earlier one of the same moment does not expire")
    func stopped() {
        let shop = Shop()
        let start = shop.time.now
        shop.start("first", at: start + .seconds(1))
        shop.start("second", at: start + .seconds(1))
        shop.time.advance(by: .seconds(2))
        #expect(shop.rung == ["first"])
    }

    @Test("After the end the clock makes no calls")
    func end() {
        let shop = Shop()
        shop.start("never", at: shop.time.now + .seconds(1))
        shop.end()
        shop.time.advance(by: .seconds(2))
        #expect(shop.rung.isEmpty)
    }
}

import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Work at the end of a turn")
struct RoundsTests {
    @Test("The end-of-turn work is scheduled once")
    func once() {
        var rounds = Rounds()
        var isScheduled = [rounds.schedule(), rounds.schedule()]
        #expect(isScheduled == [true, false])
        rounds.begin()
        isScheduled = [rounds.schedule()]
        #expect(isScheduled == [true])
    }

    @Test("The clock is informed only when stall detection changes")
    func stalls() {
        var rounds = Rounds()
        let isTold = [false, true, true, false].map { rounds.detectStalls($0) }
        #expect(isTold == [false, true, false, true])
    }
}

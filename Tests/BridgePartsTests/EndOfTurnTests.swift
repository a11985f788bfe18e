import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Work at the end of a turn")
struct EndOfTurnTests {
    @Test("The end-of-turn work is scheduled once")
    func once() {
        var rounds = EndOfTurn()
        var isScheduled = [rounds.schedule(), rounds.schedule()]
        #expect(isScheduled == [true, false])
        rounds.begin()
        isScheduled = [rounds.schedule()]
        #expect(isScheduled == [true])
    }

    @Test("The clock is informed only when stall detection changes")
    func stalls() {
        var rounds = EndOfTurn()
        let isTold = [false, true, true, false].map { rounds.detectStalls($0) }
        #expect(isTold == [false, true, false, true])
    }
}

import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("What is done once a round")
struct RoundsTests {
    @Test("The end of a round is scheduled once")
    func once() {
        var rounds = Rounds()
        var isScheduled = [rounds.schedule(), rounds.schedule()]
        #expect(isScheduled == [true, false])
        rounds.begin()
        isScheduled = [rounds.schedule()]
        #expect(isScheduled == [true])
    }

    @Test("The clock is told when stalls are to be detected, and when not any more")
    func stalls() {
        var rounds = Rounds()
        let isTold = [false, true, true, false].map { rounds.detectStalls($0) }
        #expect(isTold == [false, true, false, true])
    }
}

import Testing

@testable import BridgeParts

@Suite("Stages of a session")
struct SessionLifeTests {
    @Test("A session's stage only advances")
    func life() async {
        var life = SessionLife()
        #expect(life.advance(to: .finished) == true)
        #expect(life.advance(to: .closing) == false && life.advance(to: .finished) == false)
        #expect(life.stage == .finished)
        await withCheckedContinuation { life.resume($0, at: .closing) }
        await withCheckedContinuation { continuation in
            life.resume(continuation, at: .ended)
            _ = life.advance(to: .ended)
        }
        #expect(life.stage == .ended)
    }
}

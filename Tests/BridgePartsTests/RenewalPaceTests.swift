import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("How soon a connection on which messages piled up is left")
struct RenewalPaceTests {
    @Test("Two at once, then after pauses that double up to a limit")
    func pauses() {
        var pace = RenewalPace()
        var now = Duration.zero
        var pauses: [Int64] = []
        for _ in 0..<8 {
            let pause = pace.next(at: now)
            pauses.append(pause.components.seconds)
            now += pause + .seconds(1)
        }
        #expect(pauses == [0, 0, 2, 4, 8, 16, 32, 32])
    }

    @Test("After a calm minute it begins anew, and not before")
    func calm() {
        var pace = RenewalPace()
        for _ in 0..<3 { _ = pace.next(at: .zero) }
        var other = pace
        #expect(pace.next(at: .seconds(62)) == .seconds(4))
        #expect(other.next(at: .seconds(63)) == .zero)
    }
}

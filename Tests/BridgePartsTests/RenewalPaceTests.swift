import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Pauses before a connection on which messages piled up is replaced")
struct RenewalPaceTests {
    @Test("Two replacements are immediate, and later ones follow pauses that double up to a limit")
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

    @Test("The pauses restart after a minute without a replacement, and not before")
    func calm() {
        var pace = RenewalPace()
        for _ in 0..<3 { _ = pace.next(at: .zero) }
        var other = pace
        #expect(pace.next(at: .seconds(62)) == .seconds(4))
        #expect(other.next(at: .seconds(63)) == .zero)
    }
}

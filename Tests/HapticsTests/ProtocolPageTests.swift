import Haptics
import ProtocolVectors
import Testing

@Suite("The documentation page about haptic patterns")
struct ProtocolPageTests {
    private let page: VectorPage

    init() throws { page = try VectorPage("haptic-patterns") }

    @Test("The limits on the page equal the limits in the code")
    func limits() {
        let sentences = [
            "0 to \(Int(Pattern.maximumTime))",
            "\(Int(Pattern.maximumTime)) s and \(Pattern.maximumCount) events",
            "above 0, at most \(Int(Event.maximumDuration))", "at most \(Change.maximumPoints) points",
            "\(Tap.short.milliseconds) ms from 0.5 on, else \(Tap.long.milliseconds) ms",
        ]
        for sentence in sentences { #expect(page.sentences.contains(sentence), "\(sentence)") }
        #expect(Tap(sharpness: 0.5) == .short && Tap(sharpness: 0.49) == .long)
        for control in [Control.intensity, .sharpness] {
            #expect(page.prose.contains("`\(control.rawValue)`"), "\(control.rawValue)")
        }
    }
}

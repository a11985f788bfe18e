/// Filters the reports of a TapXR about the hand: the result is the majority of the last three reports.
///
/// Source: `TAPXRGestures` of tap-ios-sdk. Without a majority, the previous result stays.
struct TapHandFilter: Hashable, Sendable {
    private var window: [TapHand] = [.open, .open, .open]
    private var winner = TapHand.open

    /// Adds a report and returns the current result.
    mutating func take(_ hand: TapHand) -> TapHand {
        window.removeFirst()
        window.append(hand)
        if let majority = window.first(where: { one in window.count { $0 == one } >= 2 }) {
            winner = majority
        }
        return winner
    }
}

/// Takes the noise out of what a TapXR sees: the majority of its last three words counts.
///
/// `TAPXRGestures` of tap-ios-sdk; without a majority the one before stays.
struct TapHandFilter: Hashable, Sendable {
    private var window: [TapHand] = [.open, .open, .open]
    private var winner = TapHand.open

    /// Takes a word and returns what counts now.
    mutating func take(_ hand: TapHand) -> TapHand {
        window.removeFirst()
        window.append(hand)
        if let majority = window.first(where: { one in window.count { $0 == one } >= 2 }) {
            winner = majority
        }
        return winner
    }
}

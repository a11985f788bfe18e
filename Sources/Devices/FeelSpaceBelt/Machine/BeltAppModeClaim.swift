/// Tracks whether a command switched the belt to app mode. Otherwise, the navigation controller would leave an app
/// mode that it does not use.
struct BeltAppModeClaim: Hashable, Sendable {
    /// Whether the application requested app mode.
    var isWanted = false
    /// Whether the pause button switched the belt from such an app mode to pause mode. The next press restores app
    /// mode.
    var isPaused = false

    mutating func entered(_ mode: BeltMode) {
        switch mode {
        case .app: isPaused = false
        case .pause: isWanted = false
        default: self = BeltAppModeClaim()
        }
    }
}

/// Records whether a command switched the belt to app mode. Without this record, the navigation controller would leave
/// app mode whenever navigation does not need app mode.
struct BeltAppModeClaim: Hashable, Sendable {
    /// Whether the application requested app mode.
    var isWanted = false
    /// Whether the pause button switched the belt from app mode that a command requested to pause mode. The next press
    /// of the pause button restores app mode.
    var isPaused = false

    mutating func entered(_ mode: BeltMode) {
        switch mode {
        case .app: isPaused = false
        case .pause: isWanted = false
        default: self = BeltAppModeClaim()
        }
    }
}

/// Remembers that a command put the belt into app mode, so that the navigation controller, which otherwise leaves an
/// app mode that it has no use for, lets it be.
struct BeltAppModeClaim: Hashable, Sendable {
    /// Whether app mode is wanted by the application itself.
    var isWanted = false
    /// Whether pause mode was entered from such an app mode by the pause button, which brings it back.
    var isPaused = false

    mutating func entered(_ mode: BeltMode) {
        switch mode {
        case .app: isPaused = false
        case .pause: isWanted = false
        default: self = BeltAppModeClaim()
        }
    }
}

/// When notifications arrive through acquired sockets instead of as signals (setting `bluetooth.acquire`).
///
/// A socket needs fewer steps, and the subscriptions of other programs cause no duplicates.
public enum Acquisition: String, CaseIterable, Sendable {
    /// If the version of BlueZ has no known bug with them.
    case automatic = "auto"
    case always = "true"
    case never = "false"
}

/// In which cases notifications arrive through acquired sockets instead of as D-Bus signals (setting
/// `bluetooth.acquire`).
///
/// A notification through a socket needs fewer steps, and other programs that subscribe too cause no duplicates.
public enum Acquisition: String, CaseIterable, Sendable {
    /// Sockets are used if the version of BlueZ has no known bug with them.
    case automatic = "auto"
    case always = "true"
    case never = "false"
}

/// Translates BlueZ's reasons for the end of a link to text for users.
package enum DisconnectReason {
    /// Returns a description of the reason from the signal `Disconnected`, which BlueZ sends since 5.82.
    package static func words(reason: String?, wasAsked: Bool) -> String {
        if wasAsked { return "disconnected by this bridge" }
        switch reason {
        case "org.bluez.Reason.Timeout": return "out of range: the link timed out"
        case "org.bluez.Reason.Local": return "disconnected by this host"
        case "org.bluez.Reason.Remote": return "disconnected by the device"
        case "org.bluez.Reason.Authentication":
            return "authentication failed; the bond may be missing on one side"
        case "org.bluez.Reason.LocalSuspend": return "this host was suspended"
        default: return "the link was lost"
        }
    }
}

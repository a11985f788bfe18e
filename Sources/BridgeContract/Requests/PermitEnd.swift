/// Why a period in which devices may join ended.
package enum PermitEnd: String, CaseIterable {
    /// The permitted number of devices have joined.
    case admitted
    /// The time is over.
    case time
    /// A request ended the period, or the configuration no longer admits devices.
    case ended
    /// The time is over, and there was no adapter, so no device could join.
    case noAdapter = "no_adapter"
}

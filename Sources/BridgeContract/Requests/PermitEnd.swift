/// Why a time in which devices may join ended.
package enum PermitEnd: String, CaseIterable {
    /// As many devices have joined as it admits.
    case admitted
    /// Its time is over.
    case time
    /// It was ended by request, or the configuration admits no device any more.
    case ended
    /// Its time is over, and there is no adapter by which a device could have joined.
    case noAdapter = "no_adapter"
}

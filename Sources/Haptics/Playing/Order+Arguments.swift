public import JSON

extension Order {
    /// Checks the arguments of a `haptic` command and adds the values that only the bridge knows: the pattern of a file
    /// as `ahap`, the time until the start as `delay_ms`, `sound`, and `mixed`. The device's state machine receives
    /// these values, because it has access neither to the library of patterns nor to the calendar time.
    ///
    /// - Parameters:
    ///   - arguments: The received arguments, including `at`.
    ///   - library: The patterns from files.
    ///   - delay: The delay before the start of the pattern.
    ///   - isMixed: Whether a pattern that already plays continues, mixed with the new pattern.
    /// - Throws: ``HapticsError`` with the invalid key and the allowed values.
    public static func arguments(
        _ arguments: JSON.Object, resolving library: Library, delay: Duration?, isMixed: Bool = false
    ) throws(HapticsError) -> JSON.Object {
        var resolved = arguments
        resolved["at"] = nil
        if case .play(let performance) = try Order(arguments, library: library) {
            if let name = arguments["pattern"]?.string, let file = library.files[name] {
                resolved["ahap"] = AHAPFile.value(of: file.pattern)
            }
            if performance.hasSound { resolved["sound"] = true }
            if isMixed { resolved["mixed"] = true }
            if let delay { resolved["delay_ms"] = .integer(max(0, Int(delay / .milliseconds(1)))) }
        }
        return resolved
    }
}

public import JSON

extension Order {
    /// Checks the arguments of a `haptic` command and writes into them what only the bridge knows, so that a device's
    /// state machine needs neither the library nor the calendar: a file's pattern as `ahap`, and the time until the
    /// start as `delay_ms`.
    ///
    /// - Parameters:
    ///   - arguments: The arguments as they were sent, `at` included.
    ///   - library: The patterns of files.
    ///   - delay: How long to wait before the pattern begins.
    /// - Throws: ``HapticsError`` that says which key is wrong and what is known.
    public static func arguments(
        _ arguments: JSON.Object, resolving library: Library, delay: Duration?
    ) throws(HapticsError) -> JSON.Object {
        var resolved = arguments
        resolved["at"] = nil
        if case .play(let performance) = try Order(arguments, library: library) {
            if let name = arguments["pattern"]?.string, let file = library.files[name] {
                resolved["ahap"] = AHAPFile.value(of: file.pattern)
            }
            if performance.hasSound { resolved["sound"] = true }
            if let delay { resolved["delay_ms"] = .integer(max(0, Int(delay / .milliseconds(1)))) }
        }
        return resolved
    }
}

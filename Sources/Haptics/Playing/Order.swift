public import JSON

/// A `haptic` command to a device that can vibrate.
public enum Order: Hashable, Sendable {
    /// Play a pattern.
    case play(Performance)
    /// Stop the current pattern.
    case stop

    /// Reads the arguments of a `haptic` command: `pattern` with its parameters, `ahap`, or `events`; also `scale` and
    /// `repeat`. With `ahap` or `events`, `pattern` is only the name to report.
    ///
    /// ``arguments(resolving:delay:isMixed:)`` adds the values that only the bridge knows, as `delay_ms`, `sound` and
    /// `mixed`.
    ///
    /// - Throws: ``HapticsError`` with the invalid key and the allowed values.
    public init(_ arguments: JSON.Object, library: Library = Library()) throws(HapticsError) {
        let name = arguments["pattern"]?.string
        if name == Library.stopWord {
            self = .stop
            return
        }
        var performance: Performance
        if let value = arguments["ahap"] {
            do {
                let file = try AHAPFile(value)
                performance = Performance(name: name ?? "ahap", file.pattern)
                (performance.hasSound, performance.remarks) = (file.hasSound, file.remarks)
            } catch {
                throw error.within("ahap")
            }
        } else if let value = arguments["events"] {
            performance = Performance(name: name ?? "events", try Pattern(events: value))
        } else {
            guard let name else {
                throw HapticsError(.missing, "pattern", "missing; give pattern, ahap or events")
            }
            performance = Performance(name: name, try Self.pattern(name, arguments, library))
            performance.hasSound = library.files[name]?.hasSound ?? false
        }
        if arguments["sound"]?.bool == true { performance.hasSound = true }
        performance.isMixed = arguments["mixed"]?.bool ?? false
        performance.scale = min(max(arguments["scale"]?.double ?? 1, 0), 1)
        performance.passes = min(max(arguments["repeat"]?.integer ?? 1, 1), 100)
        performance.delay = .milliseconds(max(0, arguments["delay_ms"]?.integer ?? 0))
        self = .play(performance)
    }

    /// The parameters that each built-in pattern accepts.
    private static let parameters = ["multi": ["frequency", "amplitude"], "gradual": ["intensity"]]

    private static func pattern(
        _ name: String, _ arguments: JSON.Object, _ library: Library
    ) throws(HapticsError) -> Pattern {
        let taken = parameters[name] ?? []
        for key in ["frequency", "amplitude", "intensity"] where arguments[key] != nil && !taken.contains(key)
        {
            let allowed = taken.isEmpty ? "none; scale changes its strength" : taken.joined(separator: " ")
            throw HapticsError(.invalid, key, "not a parameter of \(name), which takes \(allowed)")
        }
        switch name {
        case "normal": return .normal
        case "heavy": return .heavy
        case "gradual": return .gradual(intensity: arguments["intensity"]?.double ?? 0.6)
        case "multi":
            return .multi(
                frequency: arguments["frequency"]?.double ?? 1, amplitude: arguments["amplitude"]?.double ?? 1
            )
        default:
            guard let pattern = library.files[name]?.pattern else {
                throw HapticsError(
                    .invalid, "pattern",
                    "no pattern \(name.count <= 64 ? name : "of this name"); known: "
                        + library.names.joined(separator: " ") + ", and stop")
            }
            return pattern
        }
    }
}

import BridgeConfiguration

/// What reading the configuration came to.
struct ConfigurationFacts: Hashable, Sendable {
    /// The file that was read; nil where there is none.
    var file: String?
    /// What is wrong with it.
    var problems: [SettingsProblem] = []
    /// What is probably not meant.
    var warnings: [String] = []

    var findings: [Finding] {
        guard problems.isEmpty else {
            return problems.map { problem in
                // A place in a file is PATH:LINE:COLUMN, which editors understand less well than +LINE.
                let parts = problem.place.split(separator: ":")
                let remedy =
                    parts.count == 3 && problem.place.hasPrefix("/")
                    ? "sudoedit \(parts[0])   # line \(parts[1]), then: tactile-bridge check-config"
                    : "tactile-bridge check-config --template   # shows every setting and what is allowed"
                return .problem(.configuration, problem.description, [remedy])
            }
        }
        let read = file.map { "\($0) is valid" } ?? "no file, the defaults hold"
        return [.ok(.configuration, read)]
            + warnings.map { .warning(.configuration, $0, ["tactile-bridge check-config"]) }
    }
}

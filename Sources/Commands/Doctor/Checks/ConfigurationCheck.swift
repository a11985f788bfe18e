import BridgeConfiguration

/// What reading the configuration came to.
struct ConfigurationFacts: Hashable, Sendable {
    /// The files that were read: the configuration file, and those of `conf.d`.
    var files: [String] = []
    /// What is wrong with it.
    var problems: [SettingsProblem] = []
    /// What is probably not meant.
    var warnings: [String] = []
    /// How many device files can be used.
    var deviceFileCount = 0
    /// What is wrong with device files.
    var deviceFileProblems: [String] = []
    /// What is wrong with files of haptic patterns.
    var patternProblems: [String] = []

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
        let verb = files.count == 1 ? "is" : "are"
        let read =
            files.isEmpty
            ? "no file, the defaults hold" : "\(files.joined(separator: ", ")) \(verb) valid"
        let families = deviceFileCount == 0 ? "" : ", with \(deviceFileCount) device files"
        return [.ok(.configuration, read + families)]
            + deviceFileProblems.map {
                .problem(
                    .configuration, "a device file is left out: \($0)", ["tactile-bridge check-device FILE"])
            }
            + patternProblems.map {
                .problem(
                    .configuration, "a pattern file is left out: \($0)", ["tactile-bridge haptic show FILE"])
            }
            + warnings.map { .warning(.configuration, $0, ["tactile-bridge check-config"]) }
    }
}

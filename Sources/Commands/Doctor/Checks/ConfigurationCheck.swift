import BridgeConfiguration

/// The result of reading the configuration.
struct ConfigurationFacts: Hashable, Sendable {
    /// The files that were read: the configuration file, and the files in `conf.d`.
    var files: [String] = []
    var problems: [SettingsProblem] = []
    /// Warnings about values that are valid but probably a mistake.
    var warnings: [String] = []
    var deviceFileCount = 0
    var deviceFileProblems: [String] = []
    var patternProblems: [String] = []

    var findings: [Finding] {
        guard problems.isEmpty else {
            return problems.map { problem in
                // The remedy contains the path and the line separately, because few editors accept a place in the form
                // PATH:LINE:COLUMN.
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
            ? "no file, the defaults apply" : "\(files.joined(separator: ", ")) \(verb) valid"
        let families = deviceFileCount == 0 ? "" : ", with \(deviceFileCount) device files"
        return [.ok(.configuration, read + families)]
            + deviceFileProblems.map {
                .problem(
                    .configuration, "a device file is ignored: \($0)", ["tactile-bridge check-device FILE"])
            }
            + patternProblems.map {
                .problem(
                    .configuration, "a pattern file is ignored: \($0)", ["tactile-bridge haptic show FILE"])
            }
            + warnings.map { .warning(.configuration, $0, ["tactile-bridge check-config"]) }
    }
}

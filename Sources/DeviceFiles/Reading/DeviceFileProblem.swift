package import YAML

/// A problem or a warning in a device file.
package struct DeviceFileProblem: Hashable, Sendable, CustomStringConvertible {
    package var file: String
    package var place: YAMLTree.Place
    /// The keys that lead to the problem, joined with dots; empty if the problem concerns the whole text.
    package var path: String
    /// What was found and what is allowed.
    package var message: String

    package var line: Int { place.line }

    package init(file: String, place: YAMLTree.Place, path: String, message: String) {
        self.file = file
        self.place = place
        self.path = path
        self.message = message
    }

    /// `buzz.yaml:12:5: features.battery.packet[0].level: found u9; did you mean u8? Allowed: …`. Control characters
    /// from the file are escaped, because a terminal displays the text.
    package var description: String {
        let text = (["\(file):\(place)"] + (path.isEmpty ? [] : [path]) + [message]).joined(separator: ": ")
        guard text.unicodeScalars.contains(where: \.isControl) else { return text }
        return text.unicodeScalars.map { $0.isControl ? $0.escaped(asASCII: true) : String($0) }.joined()
    }
}

/// All problems of a device file, so that the author can correct them together.
package struct DeviceFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problems, in the order of the file; never empty.
    package var problems: [DeviceFileProblem]

    /// Creates an error from the problems of a file, of which there is at least one.
    package init(problems: [DeviceFileProblem]) { self.problems = problems }

    /// One line for each problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Collects the problems of a file while it is read.
final class Findings {
    private(set) var problems: [DeviceFileProblem] = []
    private(set) var warnings: [DeviceFileProblem] = []
    /// The number of problems, including the problems beyond the limit.
    private(set) var count = 0
    let file: String
    /// The version of the format that the file uses.
    var version = 1

    /// The number of write counters that the file declares so far.
    private var counters = 0

    /// Returns the number of the next counter in the file.
    func makeCounter() -> Int {
        counters += 1
        return counters
    }

    static func needsVersion2(_ word: String) -> String { "found \(word); allowed: with version: 2" }

    /// The maximum number of problems that are kept. A text with more problems is probably not a device file.
    private static let limit = 100

    init(file: String) { self.file = file }

    func complain(_ place: YAMLTree.Place, _ path: String, _ message: String) {
        count += 1
        guard problems.count < Self.limit else { return }
        problems.append(DeviceFileProblem(file: file, place: place, path: path, message: message))
    }

    func warn(_ place: YAMLTree.Place, _ path: String, _ message: String) {
        guard warnings.count < Self.limit else { return }
        warnings.append(DeviceFileProblem(file: file, place: place, path: path, message: message))
    }
}

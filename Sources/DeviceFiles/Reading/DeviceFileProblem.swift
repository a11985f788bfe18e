package import YAML

/// One thing that is wrong with a device file, or that could be.
package struct DeviceFileProblem: Hashable, Sendable, CustomStringConvertible {
    package var file: String
    /// The line and the column.
    package var place: YAMLTree.Place
    /// The keys that lead to it; empty where the text as a whole is meant.
    package var path: String
    /// What was found and what is allowed.
    package var message: String

    /// The line, from 1.
    package var line: Int { place.line }

    /// Says what is wrong at a place.
    package init(file: String, place: YAMLTree.Place, path: String, message: String) {
        self.file = file
        self.place = place
        self.path = path
        self.message = message
    }

    /// `buzz.yaml:12:5: features.battery.packet[0].level: found u9; did you mean u8? Allowed: …`; control
    /// characters of the file as escapes, since a terminal shows it.
    package var description: String {
        let text = (["\(file):\(place)"] + (path.isEmpty ? [] : [path]) + [message]).joined(separator: ": ")
        guard text.unicodeScalars.contains(where: \.isControl) else { return text }
        return text.unicodeScalars.map { $0.isControl ? $0.escaped(asASCII: false) : String($0) }.joined()
    }
}

/// Says all that is wrong with a device file, so that it can be repaired in one go.
package struct DeviceFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in the order of the file; never empty.
    package var problems: [DeviceFileProblem]

    /// Makes an error of at least one problem.
    package init(problems: [DeviceFileProblem]) { self.problems = problems }

    /// One line a problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Collects what is wrong with a file while it is read.
final class Findings {
    private(set) var problems: [DeviceFileProblem] = []
    private(set) var warnings: [DeviceFileProblem] = []
    /// How many problems there were, those that are not told included.
    private(set) var count = 0
    let file: String

    /// A file with more is no device file; reading ends there.
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

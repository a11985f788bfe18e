/// An error in a scenario file: where it is, what was found, and what is allowed.
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of errors.
    public enum Code: Hashable, Sendable {
        /// The file is not valid YAML, or cannot be read.
        case unreadable
        case unknownKey
        /// A required key is absent.
        case missingKey
        /// The value has the wrong type or is out of range.
        case invalidValue
    }

    /// The kind of error.
    public var code: Code
    /// The file name.
    public var file: String
    /// The line, from 1; nil if the error concerns the whole file.
    public var line: Int?
    /// The path of the key, separated by dots; empty at the top level.
    public var key: String
    /// What was found, and what is allowed.
    public var message: String

    /// Creates an error.
    public init(_ code: Code, file: String, line: Int?, key: String, message: String) {
        self.code = code
        self.file = file
        self.line = line
        self.key = key
        self.message = message
    }

    /// The error in one line: `demo.yaml:12: devices.belt.rssi: 'loud' found, expected …`.
    public var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        return key.isEmpty ? "\(place): \(message)" : "\(place): \(key): \(message)"
    }
}

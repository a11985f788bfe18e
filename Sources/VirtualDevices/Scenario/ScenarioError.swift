/// Says what is wrong with a scenario file, where, and what would be right.
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of mistake.
    public enum Code: Hashable, Sendable {
        /// The file is no YAML, or cannot be read.
        case unreadable
        case unknownKey
        /// A key that must be there is not.
        case missingKey
        /// The value is of another kind or out of range.
        case invalidValue
    }

    /// What kind of mistake it is.
    public var code: Code
    /// The file.
    public var file: String
    /// The line, from 1; nil if it concerns the whole file.
    public var line: Int?
    /// The path of the key, with dots; empty at the top.
    public var key: String
    /// What was found, and what is allowed.
    public var message: String

    /// Makes an error.
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

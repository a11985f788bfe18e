/// The patterns that can be played by name: built-in patterns and patterns from files.
public struct Library: Hashable, Sendable {
    /// A file that was rejected, with the reason.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The file's name, with its extension.
        public var file: String
        /// The reason for the rejection.
        public var reason: String

        /// Creates a problem.
        public init(file: String, reason: String) {
            self.file = file
            self.reason = reason
        }

        /// `knock.ahap: Pattern: missing`
        public var description: String { "\(file): \(reason)" }
    }

    /// The names of the built-in patterns.
    public static let builtIn = ["normal", "multi", "gradual", "heavy"]
    /// The word that ends a pattern. No pattern can have this name.
    public static let stopWord = "stop"

    /// The patterns from files, by name.
    public private(set) var files: [String: AHAPFile] = [:]
    /// The rejected files.
    public private(set) var problems: [Problem] = []
    /// Sentences about parts of accepted files that are not played.
    public private(set) var remarks: [String] = []

    /// Creates a library that contains the built-in patterns only.
    public init() {}

    /// All names: the built-in patterns in their order, then the patterns from files in alphabetical order.
    public var names: [String] { Self.builtIn + files.keys.sorted() }

    /// Adds a file, or records the reason for its rejection.
    ///
    /// - Parameters:
    ///   - name: The file's name, with its extension.
    ///   - content: The function that reads the file.
    public mutating func add(
        _ name: String, _ content: () throws(HapticsError) -> AHAPFile
    ) {
        let stem = name.split(separator: ".", omittingEmptySubsequences: false).dropLast().joined(
            separator: ".")
        do throws(HapticsError) {
            try check(stem)
            let file = try content()
            files[stem] = file
            remarks += file.remarks.map { "\(name): \($0)" }
        } catch {
            problems.append(Problem(file: name, reason: error.description))
        }
    }

    /// Records a file that could not be read.
    public mutating func leaveOut(_ name: String, reason: String) {
        problems.append(Problem(file: name, reason: reason))
    }

    private func check(_ name: String) throws(HapticsError) {
        guard !name.isEmpty, name.utf8.count <= 64, name.utf8.allSatisfy(Self.isAllowed) else {
            throw HapticsError(.invalid, "the name", "1...64 of A-Z a-z 0-9 _ -")
        }
        if Self.builtIn.contains(name) || name == Self.stopWord {
            throw HapticsError(.invalid, "the name", "\(name) is reserved")
        }
        if files[name] != nil {
            throw HapticsError(.invalid, "the name", "another file already has this name")
        }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}

/// The patterns that can be played by name: those that are built in, and those of files.
public struct Library: Hashable, Sendable {
    /// A file that is not in the library, and why.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The file's name, with its extension.
        public var file: String
        /// What is wrong with it.
        public var reason: String

        /// Makes a problem.
        public init(file: String, reason: String) {
            self.file = file
            self.reason = reason
        }

        /// `knock.ahap: Pattern: missing`
        public var description: String { "\(file): \(reason)" }
    }

    /// The names of the patterns that need no file, with their parameters.
    public static let builtIn = ["normal", "multi", "gradual", "heavy"]
    /// The word that ends a pattern, which none can be called.
    public static let stopWord = "stop"

    /// The patterns of files by name.
    public private(set) var files: [String: AHAPFile] = [:]
    /// The files that were left out.
    public private(set) var problems: [Problem] = []
    /// What of the files that were taken is not played, one sentence each.
    public private(set) var remarks: [String] = []

    /// Makes a library of what is built in.
    public init() {}

    /// All names: the built-in ones in their order, then those of files in the alphabet's.
    public var names: [String] { Self.builtIn + files.keys.sorted() }

    /// Takes a file in, or notes why not.
    ///
    /// - Parameters:
    ///   - name: The file's name, with its extension.
    ///   - content: Reads it.
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

    /// Notes a file that could not even be read.
    public mutating func leaveOut(_ name: String, reason: String) {
        problems.append(Problem(file: name, reason: reason))
    }

    private func check(_ name: String) throws(HapticsError) {
        guard !name.isEmpty, name.utf8.count <= 64, name.utf8.allSatisfy(Self.isAllowed) else {
            throw HapticsError(.invalid, "the name", "1...64 of A-Z a-z 0-9 _ -")
        }
        if Self.builtIn.contains(name) || name == Self.stopWord {
            throw HapticsError(.invalid, "the name", "\(name) has a meaning of its own")
        }
        if files[name] != nil { throw HapticsError(.invalid, "the name", "another file has it already") }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}

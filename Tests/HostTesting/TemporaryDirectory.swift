import Glibc

/// A directory for a test's files, removed with the last reference.
public final class TemporaryDirectory: Sendable {
    /// The absolute path, short enough for a Unix socket inside.
    public let path: String

    /// Creates an empty directory that only this user can access.
    public init() throws {
        var template = Array("/tmp/tactile-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw TestProcess.Failure(description: "no temporary directory")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        _ = try? TestProcess.run(["rm", "-rf", path])
    }

    /// Returns the path of a file in the directory.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    /// Writes a file of arbitrary bytes and returns its path.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String) throws -> String {
        let path = file(name)
        guard let stream = fopen(path, "w") else {
            throw TestProcess.Failure(description: "cannot write \(path)")
        }
        defer { fclose(stream) }
        guard fwrite(bytes, 1, bytes.count, stream) == bytes.count else {
            throw TestProcess.Failure(description: "cannot write \(path)")
        }
        return path
    }
}

import ArgumentParser
import Glibc

enum TextFile {
    static func read(_ path: String) throws -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ValidationError("\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while let more = Descriptor.read(descriptor) { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Writes to standard output without a buffer.
enum StandardOutput {
    static func write(_ text: String) { Descriptor.write(text, to: STDOUT_FILENO) }
}

enum Descriptor {
    /// Writes the whole text; returns early if the pipe has no reader.
    static func write(_ text: String, to descriptor: CInt) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads the available bytes; nil at the end.
    static func read(_ descriptor: CInt) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            return count > 0 ? Array(bytes.prefix(count)) : nil
        }
    }
}

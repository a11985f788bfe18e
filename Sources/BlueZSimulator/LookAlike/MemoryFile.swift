import Glibc

/// A file that stores the daemon's known devices across a restart: one line per device.
struct MemoryFile: Sendable {
    let path: String

    /// Reads the file. A missing file is empty, and invalid lines are ignored.
    func read() -> [KnownDevice] {
        guard let file = fopen(path, "re") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap {
            KnownDevice(line: $0)
        }
    }

    /// Replaces the file atomically.
    func write(_ known: [KnownDevice]) {
        let draft = path + ".new"
        guard let file = fopen(draft, "we") else { return }
        let text = known.map { $0.line + "\n" }.joined()
        let isWritten = fputs(text, file) >= 0
        if fclose(file) == 0, isWritten { rename(draft, path) }
    }
}

import Glibc

/// Compares texts of libdbus with Swift's without making new ones.
enum UTF8Text {
    static func equal(_ start: UnsafePointer<CChar>, _ text: String) -> Bool {
        strcmp(start, text) == 0
    }

    /// Tells whether `start` is `prefix` or goes on after it with `separator`.
    static func isInside(_ start: UnsafePointer<CChar>, _ prefix: String, separator: Unicode.Scalar) -> Bool {
        let count = prefix.utf8.count
        guard strncmp(start, prefix, count) == 0 else { return false }
        return start[count] == 0 || start[count] == CChar(truncatingIfNeeded: separator.value)
    }
}

import Glibc

/// Compares texts of libdbus with Swift's without making new ones.
///
/// To pass a `String` where C wants a pointer makes an array of its bytes each time; `withCString` lends them.
enum UTF8Text {
    static func equal(_ start: UnsafePointer<CChar>?, _ text: String) -> Bool {
        guard let start else { return false }
        return text.withCString { strcmp(start, $0) == 0 }
    }

    /// Tells whether `start` is `prefix` or goes on after it with `separator`.
    static func isInside(_ start: UnsafePointer<CChar>, _ prefix: String, separator: Unicode.Scalar) -> Bool {
        let count = prefix.utf8.count
        guard prefix.withCString({ strncmp(start, $0, count) }) == 0 else { return false }
        return start[count] == 0 || start[count] == CChar(truncatingIfNeeded: separator.value)
    }
}

import Glibc

/// Compares C strings of libdbus with Swift strings without creating new strings.
///
/// A `String` passed as a C pointer is copied into an array each time; `withCString` avoids the copy.
enum UTF8Text {
    static func equal(_ start: UnsafePointer<CChar>?, _ text: String) -> Bool {
        guard let start else { return false }
        return text.withCString { strcmp(start, $0) == 0 }
    }

    /// Whether `start` equals `prefix`, or continues after it with `separator`.
    static func isInside(_ start: UnsafePointer<CChar>, _ prefix: String, separator: Unicode.Scalar) -> Bool {
        let count = prefix.utf8.count
        guard prefix.withCString({ strncmp(start, $0, count) }) == 0 else { return false }
        return start[count] == 0 || start[count] == CChar(truncatingIfNeeded: separator.value)
    }
}

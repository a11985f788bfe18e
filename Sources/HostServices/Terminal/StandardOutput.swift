// Glibc's stdout is a variable that nobody changes.
@preconcurrency import Glibc

/// Standard output, to which commands print.
package enum StandardOutput {
    /// Writes what is in the buffer.
    ///
    /// - Throws: ``CommandFailure`` with 74 if it cannot be written, so that a truncated file does not count as a whole
    ///   one.
    package static func flush() throws(CommandFailure) {
        // What is larger than the buffer is written before, and leaves its error with the stream.
        let reason = fflush(stdout) == 0 ? "" : ": \(String(cString: strerror(errno)))"
        guard !reason.isEmpty || ferror(stdout) != 0 else { return }
        throw CommandFailure(.output, "standard output cannot be written\(reason)")
    }
}

// Glibc's stdout is a variable that nobody changes.
@preconcurrency import Glibc

/// Standard output, to which commands print.
package enum StandardOutput {
    /// Writes what is in the buffer.
    ///
    /// - Throws: ``CommandFailure`` with 74 if it cannot be written, so that a truncated file does not count as a whole
    ///   one.
    package static func flush() throws(CommandFailure) {
        let isWritten = fflush(stdout) == 0
        guard !isWritten || ferror(stdout) != 0 else { return }
        // What is larger than the buffer is written before; its error is lost, and another byte shows it again.
        let isKnown = !isWritten || putc(0x0A, stdout) == EOF || fflush(stdout) != 0
        let reason = isKnown ? ": \(String(cString: strerror(errno)))" : ""
        throw CommandFailure(.output, "standard output cannot be written\(reason)")
    }
}

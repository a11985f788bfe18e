// `@preconcurrency` is needed for Glibc's `stdout`: Swift rejects the use of a global variable that may change. This
// program never changes it.
@preconcurrency import Glibc

/// Standard output, to which the commands write their results.
package enum StandardOutput {
    /// Writes the content of the buffer.
    ///
    /// - Throws: ``CommandFailure`` with the exit code 74 if the output cannot be written, so that a truncated file
    ///   does not count as complete.
    package static func flush() throws(CommandFailure) {
        let isWritten = fflush(stdout) == 0
        guard !isWritten || ferror(stdout) != 0 else { return }
        // Output larger than the buffer is written earlier, and the error number of a failed write is lost. Writing
        // another byte fails again and sets the number.
        let isKnown = !isWritten || putc(0x0A, stdout) == EOF || fflush(stdout) != 0
        let reason = isKnown ? ": \(String(cString: strerror(errno)))" : ""
        throw CommandFailure(.output, "standard output cannot be written\(reason)")
    }
}

import Glibc
import JSON
import VirtualDevices

/// Shows the simulator's reports to the user or to a program.
protocol Output {
    /// Prepares the terminal before the first report.
    mutating func begin()
    /// Reports the addresses of the simulator's buses, once they can be used.
    mutating func ready(_ place: Object)
    mutating func show(_ report: Report)
    /// Restores the terminal.
    mutating func end()
}

/// Prints reports as JSON objects, one per line.
struct JSONOutput: Output {
    func begin() {}

    func ready(_ place: Object) {
        var object: Object = ["event": "ready"]
        for member in place.members { object[member.key] = member.value }
        StandardOutput.write(Value.object(object).description + "\n")
    }

    func show(_ report: Report) { StandardOutput.write(ReportLine.text(of: report) + "\n") }

    func end() {}
}

/// Writes to standard output without a buffer, so that a reader receives each line immediately.
enum StandardOutput {
    static func write(_ text: String) { Descriptor.write(text, to: STDOUT_FILENO) }
}

enum StandardError {
    static func write(_ text: String) { Descriptor.write(text, to: STDERR_FILENO) }
}

private enum Descriptor {
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
}

public import Logging
import Synchronization

/// Records log lines, so that a test can also check for missing ones.
public final class LogRecord: Sendable {
    private let text = Mutex("")
    private let stream: AsyncStream<String>
    private let input: AsyncStream<String>.Continuation

    /// Creates an empty record.
    public init() {
        (stream, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1000))
    }

    /// Waits for a line that contains a text; each line counts for only one wait.
    public func wait(for text: String) async {
        for await line in stream where line.contains(text) { return }
    }

    /// The lines so far: level, message and metadata, the logger's metadata first.
    public var all: String { text.withLock(\.self) }

    /// The number of lines of a level that contain a text.
    public func count(_ level: Logger.Level, _ text: String) -> Int {
        all.split(separator: "\n").count { $0.hasPrefix("\(level) ") && $0.contains(text) }
    }

    /// The number of lines rendered so far.
    public var lineCount: Int { all.utf8.count { $0 == UInt8(ascii: "\n") } }

    /// Creates a logger that writes to the record, with a minimum level.
    public func logger(from level: Logger.Level = .trace) -> Logger {
        Logger(label: "test") { _ in Handler(record: self, logLevel: level) }
    }

    private struct Handler: LogHandler {
        let record: LogRecord
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let line = "\(event.level) \(event.message) \(metadata) \(event.metadata ?? [:])\n"
            record.text.withLock { $0 += line }
            record.input.yield(line)
        }
    }
}

public import Logging
import Synchronization

/// Keeps what was logged, to see what was not.
public final class LogRecord: Sendable {
    private let text = Mutex("")
    private let stream: AsyncStream<String>
    private let input: AsyncStream<String>.Continuation

    /// Begins with nothing.
    public init() {
        (stream, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1000))
    }

    /// Waits for a line that contains a text; one that was waited for before does not count again.
    public func wait(for text: String) async {
        for await line in stream where line.contains(text) { return }
    }

    /// The lines so far: level, message and metadata, the logger's first.
    public var all: String { text.withLock(\.self) }

    /// How many lines of a level contain a text.
    public func count(_ level: Logger.Level, _ text: String) -> Int {
        all.split(separator: "\n").count { $0.hasPrefix("\(level) ") && $0.contains(text) }
    }

    /// How many lines were rendered so far.
    public var lineCount: Int { all.utf8.count { $0 == UInt8(ascii: "\n") } }

    /// Makes a logger that writes here, from a level on.
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

import JSON

/// A recorded session of the demonstration: lines of input and typed lines, each with its time.
package struct Recording: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// A line of the simulator, the broker or the bridge's log.
        case heard(String)
        case typed(String)
    }

    package struct Entry: Hashable, Sendable {
        /// The time since the start in milliseconds.
        package var at: Int
        package var content: Content

        package init(at: Int, _ content: Content) {
            self.at = at
            self.content = content
        }

        package var line: String {
            switch content {
            case .heard(let text): "\(JSON.Value.object(["at": .integer(at), "received": .string(text)]))"
            case .typed(let text): "\(JSON.Value.object(["at": .integer(at), "typed": .string(text)]))"
            }
        }
    }

    /// An error about a line of the file that cannot be parsed.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    package var entries: [Entry] = []

    package init() {}

    package init(_ text: String) throws(Failure) {
        for (index, line) in text.split(separator: "\n").enumerated() {
            guard let json = try? JSON.Value(parsing: line.utf8), let at = json["at"]?.integer, at >= 0,
                let content = json["received"]?.string.map(Content.heard)
                    ?? json["typed"]?.string.map(Content.typed)
            else {
                throw Failure(
                    description: "line \(index + 1): expected {\"at\":<milliseconds>,\"received\":<line>} or "
                        + "{\"at\":<milliseconds>,\"typed\":<line>}, got \(line.prefix(80))")
            }
            entries.append(Entry(at: at, content))
        }
        entries.sort { $0.at < $1.at }
    }
}

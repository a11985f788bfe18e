/// A line that a user types to control a device: `belt press home`, `drop belt`, `garbage belt 100`.
struct LiveLine: Hashable, Sendable {
    /// The device that the line concerns, by its scenario name.
    var device: String
    var action: Action

    /// What a live line does to the device.
    enum Action: Hashable, Sendable {
        /// The device carries out these words, which may be invalid.
        case act([String])
        /// The device loses its connection.
        case drop
        /// The device goes out of range (`true`) or comes back in range (`false`).
        case mute(Bool)
        /// The device sends this many random notifications on every notifying characteristic that a client subscribes
        /// to.
        case garbage(Int)
        /// The device moves, so that the named hosts receive it with other signal strengths.
        case move([Placement])
    }

    /// An invalid line. The message describes the allowed lines.
    struct Misunderstood: Error, Hashable, Sendable {
        var message: String
    }

    /// The words that start a live line about the radio, before the device's name.
    private static let linkWords: Set<String> = ["drop", "mute", "unmute", "garbage", "move"]

    /// Parses a line; nil if the line is blank or a comment (`#`).
    ///
    /// - Parameters:
    ///   - text: The line.
    ///   - devices: The name and the family of every device, in order. A line can contain a family's name instead of a
    ///     device's name; it then concerns the family's first device.
    init?(_ text: String, devices: [(name: String, kind: String)]) throws(Misunderstood) {
        var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first, !first.hasPrefix("#") else { return nil }
        if Self.linkWords.contains(first), words.count > 1 { words.swapAt(0, 1) }
        let spoken = words.removeFirst()
        let named = devices.first { $0.name == spoken } ?? devices.first { $0.kind == spoken }
        guard let named else {
            let names = devices.map(\.name).joined(separator: ", ")
            throw Misunderstood(
                message:
                    "no device named '\(spoken)'; there are: \(names). A line is a device's name and an action"
            )
        }
        guard !words.isEmpty else {
            throw Misunderstood(message: "'\(spoken)' needs an action, such as '\(spoken) press home'")
        }
        device = named.name
        action = Action(words)
        if action == .act(words), Self.linkWords.contains(words[0]) {
            throw Misunderstood(
                message: "'\(text)' is not understood; expected 'drop \(spoken)', 'mute \(spoken)', "
                    + "'unmute \(spoken)', 'garbage \(spoken) [1...1000000]' or "
                    + "'move \(spoken) HOST REACH ...' with a reach in \(Reach.expected)")
        }
    }
}

extension LiveLine.Action {
    /// Parses the words after a device's name. Words that are not a radio action are passed to the device.
    init(_ words: [String]) {
        switch (words.first, words.count) {
        case ("drop", 1): self = .drop
        case ("mute", 1): self = .mute(true)
        case ("unmute", 1): self = .mute(false)
        case ("move", _): self = Self.placements(words.dropFirst()).map { .move($0) } ?? .act(words)
        case ("garbage", 1): self = .garbage(100)
        case ("garbage", 2):
            if let count = Int(words[1]), (1...1_000_000).contains(count) {
                self = .garbage(count)
            } else {
                self = .act(words)
            }
        default: self = .act(words)
        }
    }

    /// Parses pairs of a host and its reach; nil if there are none or a pair is invalid.
    private static func placements(_ words: ArraySlice<String>) -> [Placement]? {
        guard !words.isEmpty, words.count.isMultiple(of: 2) else { return nil }
        let words = Array(words)
        let placements = stride(from: 0, to: words.count, by: 2).compactMap { index in
            Reach(words[index + 1]).map { Placement(host: words[index], reach: $0) }
        }
        return placements.count * 2 == words.count ? placements : nil
    }
}

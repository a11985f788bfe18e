/// A live line (typed by a user) about a host: `host A freeze`, `host B adapter off`.
enum HostLine: Hashable, Sendable {
    /// Freeze or resume a host, by its index.
    case freeze(Int, Bool)
    /// Forward the line to the Bluetooth service of a host.
    case daemon(Int, String)
    /// The line is invalid. The text describes the allowed lines.
    case mistake(String)

    /// The first words of lines for the simulated BlueZ.
    private static let daemonWords: Set<String> = ["adapter", "bluez"]

    /// Parses a line; nil if it does not concern a host.
    init?(_ line: String, hosts: [String]) {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first else { return nil }
        let all = hosts.joined(separator: ", ")
        if Self.daemonWords.contains(first) {
            self = .mistake(
                "'\(line)' names no host; type 'host \(hosts[0]) \(line)'; hosts: \(all)")
            return
        }
        guard first == "host" else { return nil }
        guard words.count > 1, let host = hosts.firstIndex(of: words[1]) else {
            let found = words.count > 1 ? "no host named '\(words[1])'" : "'host' without a name"
            self = .mistake("\(found); hosts: \(all)")
            return
        }
        switch (words.dropFirst(2).first, words.count) {
        case ("freeze", 3): self = .freeze(host, true)
        case ("thaw", 3): self = .freeze(host, false)
        case (let word?, _) where Self.daemonWords.contains(word):
            self = .daemon(host, words.dropFirst(2).joined(separator: " "))
        default:
            let name = words[1]
            self = .mistake(
                "'\(line)' is not understood; expected 'host \(name) freeze', 'host \(name) thaw', "
                    + "'host \(name) adapter on|off|remove|add [name]' or 'host \(name) bluez …'")
        }
    }
}

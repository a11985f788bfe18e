/// Decides where an answer must not be sent: an answer that comes as a state, a command or an announcement would be
/// taken for one, with all the rights of the bridge.
package struct ResponseTopics: Sendable {
    /// The longest topic that an answer is sent to, in bytes: a longer one would cost more than the command does.
    package static let sizeLimit = 512
    private static let slash = UInt8(ascii: "/")

    /// What stands in front of every topic of bridges: empty, or with a slash at its end.
    private let prefix: String

    /// - Parameter baseTopic: What stands in front of every topic of bridges; empty for nothing.
    package init(baseTopic: String) { prefix = baseTopic.isEmpty ? "" : baseTopic + "/" }

    /// Whether an answer must not be sent to a topic.
    ///
    /// - Parameters:
    ///   - discoveryPrefix: Where announcements to Home Assistant go, whatever the base topic is.
    ///   - isTaken: Whether nothing but bridges speaks under a name: that of a device, a group or a family, or a reserved
    ///     root.
    package func refuses(_ topic: String, discoveryPrefix: String?, isTaken: (String) -> Bool) -> Bool {
        let bytes = topic.utf8
        guard bytes.count <= Self.sizeLimit else { return true }
        if let discoveryPrefix, topic == discoveryPrefix || bytes.starts(with: "\(discoveryPrefix)/".utf8) {
            return true
        }
        guard bytes.starts(with: prefix.utf8) else { return false }
        let levels = bytes.dropFirst(prefix.utf8.count)
        // Commands to devices of other bridges, and what bridges say of their links.
        if ["/set", "/connection"].contains(where: { levels.suffix($0.utf8.count).elementsEqual($0.utf8) }) {
            return true
        }
        // Access lists let each user read what is below `reply/<user>`, and nothing else there.
        let root = levels.prefix { $0 != Self.slash }
        if root.elementsEqual(Topics.replyRoot.utf8) {
            return levels.dropFirst(root.count + 1).prefix { $0 != Self.slash }.isEmpty
        }
        var end = root.endIndex
        while levels.distance(from: levels.startIndex, to: end) <= NameRules.longest {
            if isTaken(String(Substring(levels[..<end]))) { return true }
            guard end < levels.endIndex else { return false }
            let next = levels.index(after: end)
            end = levels[next...].firstIndex(of: Self.slash) ?? levels.endIndex
        }
        return false
    }
}

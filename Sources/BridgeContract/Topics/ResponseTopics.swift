/// Checks the topics that senders choose for answers. On the topic of a state, a command or an announcement, an answer
/// would take effect as such, with all access rights of the bridge.
package struct ResponseTopics: Sendable {
    /// The longest topic of an answer, in bytes. A longer topic would need more resources than the command.
    package static let sizeLimit = 512
    private static let slash = UInt8(ascii: "/")

    /// The prefix of all topics of bridges: empty, or with a slash at its end.
    private let prefix: String

    /// - Parameter baseTopic: The prefix of all topics of bridges; empty for none.
    package init(baseTopic: String) { prefix = baseTopic.isEmpty ? "" : baseTopic + "/" }

    /// Whether an answer must not be sent to a topic.
    ///
    /// - Parameters:
    ///   - discoveryPrefix: The prefix of announcements to Home Assistant, which does not depend on the base topic.
    ///   - isTaken: Whether only bridges may publish under a name: the name of a device, a group or a family, or a
    ///     reserved root.
    package func refuses(_ topic: String, discoveryPrefix: String?, isTaken: (String) -> Bool) -> Bool {
        let bytes = topic.utf8
        guard bytes.count <= Self.sizeLimit else { return true }
        if let discoveryPrefix, topic == discoveryPrefix || bytes.starts(with: "\(discoveryPrefix)/".utf8) {
            return true
        }
        guard bytes.starts(with: prefix.utf8) else { return false }
        let levels = bytes.dropFirst(prefix.utf8.count)
        // No answer goes to a topic of commands to devices of other bridges, or of connection states that other bridges
        // publish.
        if ["/set", "/connection"].contains(where: { levels.suffix($0.utf8.count).elementsEqual($0.utf8) }) {
            return true
        }
        // Answers on topics below `reply/<user>` are allowed, because access lists let each user read only the topics
        // below their own name.
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

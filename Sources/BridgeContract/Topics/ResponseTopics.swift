/// Decides where an answer must not be sent: an answer that comes as a state, a command or an announcement would be
/// taken for one, with all the rights of the bridge.
package struct ResponseTopics: Sendable {
    /// What stands in front of every topic of bridges: empty, or with a slash at its end.
    let prefix: String
    /// Names under which nothing but the bridge speaks: reserved roots, groups and families.
    let roots: Set<String>

    /// - Parameters:
    ///   - baseTopic: What stands in front of every topic of bridges; empty for nothing.
    ///   - roots: Names under which nothing but bridges speaks.
    package init(baseTopic: String, roots: Set<String>) {
        prefix = baseTopic.isEmpty ? "" : baseTopic + "/"
        self.roots = roots
    }

    /// Whether an answer must not be sent to a topic.
    ///
    /// - Parameters:
    ///   - discoveryPrefix: Where announcements to Home Assistant go, whatever the base topic is.
    ///   - isDevice: Whether a device has this name.
    package func refuses(_ topic: String, discoveryPrefix: String?, isDevice: (String) -> Bool) -> Bool {
        if let discoveryPrefix, topic == discoveryPrefix || topic.hasPrefix(discoveryPrefix + "/") {
            return true
        }
        guard topic.hasPrefix(prefix) else { return false }
        let levels = topic.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        // Commands to devices of other bridges, and what bridges say of their links.
        if levels.count > 1, levels.last == "set" || levels.last == "connection" { return true }
        // Access lists let each user read what is below `reply/<user>`, and nothing else there.
        if levels[0] == Topics.replyRoot { return levels.count < 2 || levels[1].isEmpty }
        var name = ""
        for level in levels {
            name += name.isEmpty ? String(level) : "/\(level)"
            // No name is longer.
            guard name.utf8.count <= 128 else { return false }
            if roots.contains(name) || isDevice(name) { return true }
        }
        return false
    }
}

import DeviceKit

// The rights of the access list in the form of ejabberd's module `mod_mqtt`: for each topic, the users that may publish
// to it or subscribe to it.
extension AccessList {
    /// The name of a user of the broker, and the roles of the user.
    package typealias User = (name: String, roles: [Role])

    /// Returns the rights of a user, including the topics of stops and of answers, without duplicates.
    func entries(_ roles: [Role], user: String) -> [Entry] {
        var seen: Set<Entry> = []
        var entries = roles.flatMap { self.entries($0) + stopEntries($0) }.filter { seen.insert($0).inserted }
        if roles.contains(where: { $0 != .bridge }) { entries.append(replyEntry(user)) }
        return entries
    }

    /// Returns a file for ejabberd's configuration (`include_config_file`). It contains an access rule for each user,
    /// and the rights of each user in the module `mod_mqtt`.
    ///
    /// ejabberd compares the filter of a subscription with the topics of the rules, not each delivered message. A user
    /// with a rule for `bridge/+/info` may subscribe to that filter, but not to `#`.
    ///
    /// - Parameters:
    ///   - bridges: The ids of bridges. Each bridge is a separate user whose name is the id.
    ///   - users: The other users. A user with the role `bridge` is the bridge of the configuration.
    package func ejabberd(_ bridges: [String], _ users: [User]) -> String {
        let lists = bridges.map(with(id:)) + users.map { _ in self }
        let users = bridges.map { (name: $0, roles: [Role.bridge]) } + users
        var publish = Rules()
        var subscribe = Rules()
        var lines = Self.introduction + ["acl:"]
        for (index, user) in users.enumerated() {
            let rule = Self.rule(user.name, unlike: users[..<index].map(\.name))
            lines += user.roles.map { "  # \($0.rawValue): \($0.summary)" }
            lines += ["  \(rule):", "    user: \(Self.quoted(user.name))"]
            for entry in lists[index].entries(user.roles, user: user.name) {
                if entry.access != .read { publish.allow(entry.topic, rule) }
                if entry.access != .write { subscribe.allow(entry.topic, rule) }
            }
        }
        lines += ["", "modules:", "  mod_mqtt:"]
        lines += EjabberdLines.all.flatMap { ["    # \($0.reason)", "    \($0.line)"] }
        lines += ["    access_publish:"] + publish.lines + ["    access_subscribe:"] + subscribe.lines
        return lines.map { $0 + "\n" }.joined()
    }

    private static let introduction = [
        "# The topics that each user may publish and subscribe to, for ejabberd's mod_mqtt. In ejabberd.yml:",
        "#   include_config_file:", "#     - /etc/ejabberd/tactile-bridge.yml",
        "# A subscription is checked as a whole: a user who may read some topics cannot subscribe to #.",
    ]

    /// The users that have a certain right, such as to publish, by topic. Topics are in the order in which they were
    /// added.
    private struct Rules {
        private var topics: [String] = []
        private var users: [String: [String]] = [:]

        mutating func allow(_ topic: String, _ rule: String) {
            if users[topic] == nil { topics.append(topic) }
            if users[topic]?.contains(rule) != true { users[topic, default: []].append(rule) }
        }

        var lines: [String] {
            topics.flatMap { topic in
                ["      \(AccessList.quoted(topic)):"]
                    + (users[topic] ?? []).map { "        - allow: \($0)" }
            }
        }
    }

    /// Returns a unique name for a user's rule: letters, digits and `_`.
    private static func rule(_ user: String, unlike others: [String]) -> String {
        func plain(_ name: String) -> String {
            "tactile_"
                + String(
                    name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        }
        let twins = others.count { plain($0) == plain(user) }
        return twins == 0 ? plain(user) : "\(plain(user))_\(twins + 1)"
    }

    private static func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}

/// The recommended settings of ejabberd's module `mod_mqtt`.
enum EjabberdLines {
    /// The lines of the configuration, each with the reason for the setting.
    static let all: [(line: String, reason: String)] = [
        (
            "match_retained_limit: infinity",
            "By default a subscriber gets 1,000 of the retained messages, and ten bridges have 10,750."
        ),
        (
            "max_queue: 100000",
            "By default a client that is 5,000 messages behind is disconnected, such as one with a whole fleet."
        ),
        ("session_expiry: 0", "Commands for an offline bridge are not stored: they would arrive too late."),
        (
            "max_topic_depth: 16",
            "By default a topic has 8 levels; a base topic and a device's name may need more."
        ),
    ]
}

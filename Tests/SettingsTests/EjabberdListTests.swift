import Bluetooth
import BridgeContract
import DeviceCatalog
import Testing

@testable import Reference

@Suite("The rights of each role for ejabberd")
struct EjabberdListTests {
    /// The rules as mod_mqtt reads them: the users by topic, for each direction.
    private struct Rules {
        var publish: [String: [String]] = [:]
        var subscribe: [String: [String]] = [:]

        init(_ text: String) {
            var (direction, topic) = ("", "")
            for line in text.split(separator: "\n") {
                if line.hasPrefix("    access_") { direction = String(line.dropFirst(4).dropLast()) }
                if line.hasPrefix("      \"") { topic = String(line.dropFirst(7).dropLast(2)) }
                guard line.hasPrefix("        - allow: ") else { continue }
                let user = String(line.dropFirst(17))
                if direction == "access_publish" { publish[topic, default: []].append(user) }
                if direction == "access_subscribe" { subscribe[topic, default: []].append(user) }
            }
        }

        /// Like mod_mqtt, compares a topic or a filter level by level with those of the rules.
        static func allows(_ rules: [String: [String]], _ user: String, _ topic: String) -> Bool {
            rules.contains { $0.value.contains(user) && fits(topic.levels[...], $0.key.levels[...]) }
        }

        private static func fits(_ topic: ArraySlice<Substring>, _ rule: ArraySlice<Substring>) -> Bool {
            guard let level = rule.first else { return topic.isEmpty }
            if level == "#" { return true }
            guard let first = topic.first, level == "+" || level == first else { return false }
            return fits(topic.dropFirst(), rule.dropFirst())
        }
    }

    private let list = AccessListTests.list

    @Test("Each role has exactly the same rights as with Mosquitto, topic by topic", arguments: Role.allCases)
    func role(_ role: Role) {
        let users = Role.allCases.map { AccessList.User(name: $0.rawValue, roles: [$0]) }
        let rules = Rules(list.ejabberd([], users))
        let user = "tactile_\(role.rawValue.replacing("-", with: "_"))"
        for topic in AccessListTests.topics {
            #expect(
                Rules.allows(rules.publish, user, topic) == AccessListTests.mayWrite(role, topic), "\(topic)")
            #expect(
                Rules.allows(rules.subscribe, user, topic) == AccessListTests.mayRead(role, topic), "\(topic)"
            )
        }
        #expect(!Rules.allows(rules.subscribe, user, "#"))
        // An empty rule would allow everything.
        #expect(rules.publish.values.allSatisfy { !$0.isEmpty } && !rules.publish.isEmpty)
    }

    @Test("Each subscription of the bridge is granted with its exact filter")
    func bridge() {
        let rules = Rules(list.ejabberd(["attic"], []))
        let filters = [
            "bridge/attic/request/+", "bridge/all/request/+", "bridge/+/availability", "bridge/+/info",
            "bridge/attic/echo", "hall/left/+/set", "hall/left/set", "hall/left/connection", "hands/+/set",
            "all/+/set", "homeassistant/status",
        ]
        for filter in filters { #expect(Rules.allows(rules.subscribe, "tactile_attic", filter), "\(filter)") }
    }

    @Test("Bridges that are separate users write their own topics, and not those of other bridges")
    func bridges() {
        let viewer = AccessList.User(name: "viewer", roles: [.viewer])
        let rules = Rules(list.ejabberd(["hall", "cellar"], [viewer]))
        for (user, other) in [("hall", "cellar"), ("cellar", "hall")] {
            #expect(Rules.allows(rules.publish, "tactile_\(user)", "bridge/\(user)/availability"))
            #expect(!Rules.allows(rules.publish, "tactile_\(user)", "bridge/\(other)/availability"))
            #expect(!Rules.allows(rules.subscribe, "tactile_\(user)", "bridge/\(other)/request/+"))
            #expect(Rules.allows(rules.publish, "tactile_\(user)", "hall/left/tapped"))
        }
        #expect(!rules.publish.keys.contains { $0.hasPrefix("bridge/attic/") })
        #expect(!Rules.allows(rules.publish, "tactile_viewer", "bridge/hall/availability"))
    }

    @Test("A list names only devices that the pattern of their family does not match")
    func length() {
        let settings = BridgeSettings(
            id: "attic",
            devices: [
                .init(name: "tap/known", family: "tap", address: "AA:BB:CC:DD:EE:01"),
                .init(name: "belt/left/arm", family: "belt", address: "AA:BB:CC:DD:EE:02"),
            ])
        let text = AccessList(settings, families: Registry.families)
            .ejabberd([], [(name: "attic", roles: [.bridge])])
        #expect(!text.contains("tap/known"))
        #expect(text.contains("\"belt/left/arm/battery\":"))
        let rules = Rules(text)
        #expect(Rules.allows(rules.publish, "tactile_attic", "tap/known/tapped"))
    }

    @Test("Users have rules with distinct names, whatever the users' names are")
    func names() {
        let names = ["a.b", "a-b", "Ä", "say \"no\""]
        let text = list.ejabberd([], names.map { (name: $0, roles: [.viewer]) })
        for rule in ["tactile_a_b", "tactile_a_b_2", "tactile__", "tactile_say__no_"] {
            #expect(text.contains("\n  \(rule):\n"), "\(rule)")
        }
        #expect(text.contains("    user: \"say \\\"no\\\"\"\n"))
    }
}

extension String {
    fileprivate var levels: [Substring] { split(separator: "/", omittingEmptySubsequences: false) }
}

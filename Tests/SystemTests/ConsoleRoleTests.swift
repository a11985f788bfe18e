import EventLoop
import Foundation
import Glibc
import HostTesting
import JSON
import Testing

@Suite("The rights of each role in the console, and in a broker's access list", .serialized)
struct ConsoleRoleTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
    private static let roles = [
        "viewer", "operator", "driver", "typist", "recorder", "restorer", "log-reader", "admin",
    ]
    private static let configuration = """
        robot: { allow_weapon: true }
        groups: { room: [belt, wrist] }
        log: { mqtt: info }
        devices:
          belt: { family: belt, address: "C0:FF:EE:00:00:01" }
          pen: { family: tap, address: "C0:FF:EE:00:00:02" }
          robot: { family: robot, address: "C0:FF:EE:00:00:03" }
          wrist: { family: buzz, address: "C0:FF:EE:00:00:04" }
          hall/heart: { family: heart, address: "C0:FF:EE:00:00:06" }

        """
    /// A topic that every role may read, published after all others.
    private static let end = "bridge/test/availability"
    /// Logs each role in, subscribes it to everything, sends each command, and prints the received reports and results.
    private static let client = """
        import json, sys, time
        import paho.mqtt.client as mqtt
        from paho.mqtt.properties import Properties
        port, plan = int(sys.argv[1]), json.load(open(sys.argv[2]))
        old = not hasattr(mqtt, "CallbackAPIVersion")
        def make(name):
            kind = [] if old else [mqtt.CallbackAPIVersion.VERSION1]
            client = mqtt.Client(*kind, client_id="test-" + name, protocol=mqtt.MQTTv5)
            client.got = set()
            client.on_message = lambda c, d, m: c.got.add((m.topic, m.payload.decode()))
            if name != "all":
                client.username_pw_set(name, "secret")
            client.connect("127.0.0.1", port)
            client.subscribe("#", qos=1)
            client.loop_start()
            return client
        def until(what):
            end = time.monotonic() + 30
            while not what():
                assert time.monotonic() < end
                time.sleep(0.01)
        watcher = make("all")
        until(lambda: (watcher.publish("ready", "x", qos=1), ("ready", "x") in watcher.got)[1])
        clients = {role: make(role) for role in plan["roles"]}
        for role, client in clients.items():
            for topic in plan["commands"]:
                client.publish(topic, role, qos=1)
            client.publish("all/stop/set", role + " end", qos=1)
            until(lambda: ("all/stop/set", role + " end") in watcher.got)
        for topic in plan["reports"]:
            watcher.publish(topic, "report", qos=1)
        # Everyone may read this one.
        watcher.publish("bridge/test/availability", "end", qos=1)
        for client in clients.values():
            until(lambda: ("bridge/test/availability", "end") in client.got)
        print(json.dumps({role: {
            "commands": sorted(t for t, p in watcher.got if p == role),
            "reports": sorted(t for t, p in client.got if p == "report")} for role, client in clients.items()}))
        """

    /// The rights of a role: the commands that pass, and the reports that it receives.
    private struct May: Equatable {
        var commands: Set<String> = []
        var reports: Set<String> = []
    }

    @Test(
        "The console grants each role the commands and reports that Mosquitto grants it with the list that acl writes"
    )
    func table() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write(Self.configuration, to: "bridge.yaml")
        let environment = [
            "TACTILE_BRIDGE_BRIDGE_ID": "test",
            "TACTILE_BRIDGE_HAPTICS_DIRECTORY": "\(Self.root)/config/patterns",
        ]
        func run(_ arguments: [String]) throws -> String {
            try TestProcess.run(
                ["env"] + environment.map { "\($0.key)=\($0.value)" } + ["\(Program.folder)/tactile-bridge"]
                    + arguments + ["--config", file])
        }
        let topics = try #require(
            try JSON.Value(parsing: try run(["topics", "--format", "jsonschema", "--configured"]).utf8)[
                "x-topics"]?.array)
        func named(_ isWanted: (JSON.Value?) -> Bool) -> [String] {
            topics.filter { isWanted($0["kind"]) }.compactMap { $0["topic"]?.string }
                .filter { !$0.contains("{") && !$0.contains("+") && !$0.contains("#") && $0 != Self.end }
        }
        let commands = Array(Set(named { $0 == "command" })).sorted()
        let reports = Array(
            Set(named { $0 != "command" } + ["pen/raw", "pen/tapped", "elsewhere/x", "homeassistant/x"])
        ).sorted()
        #expect(commands.count > 60 && reports.count > 60, "\(commands.count) \(reports.count)")

        let listed = try byBroker(commands, reports) { try run(["acl", "--role", $0, "--user", $0]) }
        let done = try byConsole(commands, reports, Self.roles)
        for role in Self.roles {
            let (a, b) = (listed[role] ?? May(), done[role] ?? May())
            #expect(a.commands == b.commands, "\(role): \(a.commands.symmetricDifference(b.commands))")
            #expect(a.reports == b.reports, "\(role): \(a.reports.symmetricDifference(b.reports))")
            print(
                "\(role): \(a.commands.count) of \(commands.count) commands, \(a.reports.count) of \(reports.count) reports"
            )
        }
        // With the account that acl writes for it, the console grants its users the same rights.
        let account = try run(["acl", "--role", "console", "--user", "console"])
        for (role, may) in try byConsole(commands, reports, Array(Self.roles.prefix(4)), account: account) {
            #expect(may == done[role], "\(role)")
        }
        // The table must not be trivial: a driver drives, an operator does not, and only a typist reads typed text.
        #expect(listed["driver"]?.commands.contains("robot/drive/set") == true)
        #expect(listed["operator"]?.commands.contains("robot/drive/set") == false)
        #expect(Self.roles.filter { done[$0]?.reports.contains("pen/tapped") == true } == ["typist"])
        #expect(Self.roles.allSatisfy { done[$0]?.commands.contains("robot/stop/set") == true })
    }

    /// The rights that Mosquitto grants with the lists.
    private func byBroker(
        _ commands: [String], _ reports: [String], list: (String) throws -> String
    ) throws -> [String: May] {
        let folder = try TemporaryDirectory()
        var options = TestBroker.Options()
        options.users = Dictionary(uniqueKeysWithValues: Self.roles.map { ($0, "secret") })
        options.lines = ["allow_anonymous true"]
        options.accessList = "topic readwrite #\n\n" + (try Self.roles.map(list).joined(separator: "\n"))
        let broker = try TestBroker(options)
        let plan: JSON.Value = [
            "roles": .array(Self.roles.map { .string($0) }), "commands": .array(commands.map { .string($0) }),
            "reports": .array(reports.map { .string($0) }),
        ]
        let file = try folder.write(plan.description, to: "plan.json")
        let text = try TestProcess.run([
            "/usr/bin/python3", "-W", "ignore", "-c", Self.client, "\(broker.port)", file,
        ])
        let said = try JSON.Value(parsing: (text.split(separator: "\n").last ?? "").utf8)
        var found: [String: May] = [:]
        for role in Self.roles {
            func topics(_ key: String) -> Set<String> {
                Set(said[role]?[key]?.array?.compactMap(\.string) ?? [])
            }
            found[role] = May(commands: topics("commands"), reports: topics("reports"))
        }
        return found
    }

    /// The rights that a console grants; each role is the role of a user whom a proxy names.
    ///
    /// - Parameter account: The access list of the console's account on the broker; everything if nil.
    private func byConsole(
        _ commands: [String], _ reports: [String], _ roles: [String], account: String? = nil
    ) throws -> [String: May] {
        let folder = try TemporaryDirectory()
        var environment: [String: String] = [:]
        var (users, lines): ([String: String], [String]) = ([:], [])
        if let account {
            let file = try folder.write("topic readwrite #\n\n" + account, to: "access")
            chmod(file, 0o600)
            users = ["console": "secret"]
            lines = ["allow_anonymous true", "acl_file \(file)"]
            environment = [
                "TACTILE_BRIDGE_MQTT_USERNAME": "console", "TACTILE_BRIDGE_MQTT_PASSWORD": "secret",
            ]
        }
        let each = roles.map { "\($0): [\($0)]" }.joined(separator: ", ")
        let it = try ConsoleBench(
            Bench(users: users, brokerLines: lines),
            console: "login: proxy, trusted_proxies: [127.0.0.1], roles: { \(each) }",
            configuration: Self.configuration, environment: environment)
        var found: [String: May] = [:]
        let pages = try roles.map { role in
            try it.open(
                nil,
                headers: [
                    "X-Forwarded-User": role, "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1",
                ])
        }
        for (role, page) in zip(roles, pages) {
            for topic in commands {
                page.send([
                    "type": "publish", "id": .string(topic), "topic": .string(topic),
                    "payload": .string(role),
                ])
            }
            // An invalid topic, sent after all commands: a stop would overtake commands that wait.
            page.send(["type": "publish", "id": "end", "topic": "+", "payload": "1"])
            var refused: Set<String> = []
            try page.expect("the last refusal") { message in
                if message["code"] == "not_allowed" { refused.formUnion([message["id"]?.string ?? ""]) }
                return message["code"] == "bad_topic" && message["id"] == "end"
            }
            // Commands that were not rejected arrive, and no others do; the stop arrives last.
            let allowed = Set(commands).subtracting(refused)
            var sent: Set<String> { Set(it.bench.watcher.seen.filter { $0.payload == role }.map(\.topic)) }
            while sent != allowed, it.bench.watcher.next(within: .seconds(5)) != nil {}
            page.send(["type": "publish", "topic": "all/stop/set", "payload": .string("\(role) end")])
            try it.bench.watcher.expect("all/stop/set", "\(role) end")
            #expect(sent == allowed, "\(role)")
            found[role] = May(commands: sent)
            page.send(["type": "watch", "filters": ["#"]])
        }
        for (role, page) in zip(roles, pages) {
            // Waits until the console has subscribed to what the page watches.
            var isWatching = false
            for _ in 0..<20 where !isWatching {
                try it.bench.publish(Self.end, "begin")
                isWatching =
                    (try? page.expectMessage(Self.end, within: .milliseconds(500))) != nil
            }
            try #require(isWatching, "\(role)")
        }
        for topic in reports { try it.bench.publish(topic, "report") }
        try it.bench.publish(Self.end, "end")
        for (role, page) in zip(roles, pages) {
            try page.expect("the end") { message in
                for entry in message["messages"]?.array ?? [] where entry.array?[1] == "report" {
                    found[role]?.reports.formUnion([entry.array?.first?.string ?? ""])
                }
                return message["messages"]?.array?.contains { $0.array?[1] == "end" } ?? false
            }
        }
        return found
    }
}

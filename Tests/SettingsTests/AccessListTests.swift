import Bluetooth
import BridgeContract
import BridgeTesting
import DeviceCatalog
import DeviceKit
import EventLoop
import HomeAssistant
import HostTesting
import Logging
import MQTT
import Messages
import Testing

@testable import HostServices
@testable import Reference

@Suite("The written ACL file gives each role its rights on a real broker", .timeLimit(.minutes(2)))
struct AccessListTests {
    /// The tested topics: reports, commands, groups, the bridge, Home Assistant, and topics without an owner.
    static let topics =
        [
            "belt/battery", "belt/mode", "belt/orientation", "belt/a1b2c3/button", "belt/connection",
            "belt/result", "tap/a1b2c3/battery", "tap/a1b2c3/tapped", "tap/a1b2c3/raw", "tap/a1b2c3/gesture",
            "hall/left/tapped", "hall/left/info", "robot/status", "robot/availability",
            "belt/vibrate/set", "belt/stop/set", "belt/a1b2c3/mode/set", "tap/a1b2c3/vibrate/set",
            "hall/left/input_mode/set", "robot/drive/set", "robot/power/set", "robot/weapon/set",
            "robot/field_orientation/set", "robot/field_offset/set", "robot/stop/set",
            "robot/emergency_stop/set", "robot/a1b2c3/drive/set",
            "all/stop/set", "all/robots/emergency_stop/set", "all/belts/vibrate/set", "hands/vibrate/set",
            "all/robots/power/set", "hands/result", "all/result",
            "bridge/attic/info", "bridge/attic/availability", "bridge/attic/stats",
            "bridge/attic/request/record", "bridge/attic/response/record",
            "bridge/attic/request/backup", "bridge/attic/request/restore",
            "bridge/attic/response/rename", "bridge/attic/request/rename", "bridge/cellar/request/forget",
            "bridge/attic/echo", "bridge/cellar/echo", "bridge/cellar/info", "bridge/cellar/families",
            "homeassistant/device/x/config",
            "homeassistant/status", "reply/panel/1",
            "reply/viewer/1", "reply/operator/a/b", "reply/driver/1", "reply/typist/1", "reply/recorder/1",
            "reply/console/1",
            "attic/left/thumb/stop/set", "lamp/emergency_stop/set", "attic/left/thumb/result",
            "elsewhere/topic", "belt/secret/of/another",
        ]

    static func mayRead(_ role: Role, _ topic: String) -> Bool {
        let last = topic.split(separator: "/").last
        if ["elsewhere/topic", "belt/secret/of/another"].contains(topic) { return false }
        if topic == "attic/left/thumb/result" { return false }
        if topic == "homeassistant/status" { return role == .bridge }
        if topic.hasPrefix("reply/") { return topic.hasPrefix("reply/\(role.rawValue)/") }
        if topic == "bridge/attic/echo" { return [.bridge, .driver, .console].contains(role) }
        if topic == "bridge/cellar/echo" { return role == .driver || role == .console }
        if last == "set" { return role == .bridge }
        if topic.contains("/request/") { return role == .bridge && topic.hasPrefix("bridge/attic/") }
        if role == .bridge { return last != "result" || topic == "belt/result" }
        return ["tapped", "raw"].contains(last) ? role == .typist || role == .console : true
    }

    static func mayWrite(_ role: Role, _ topic: String) -> Bool {
        let levels = topic.split(separator: "/")
        if role == .bridge {
            return levels.last != "set" && !topic.hasPrefix("bridge/cellar/")
                && !["elsewhere/topic", "belt/secret/of/another", "homeassistant/status"].contains(topic)
        }
        if topic.hasSuffix("/request/record") { return role == .recorder }
        if topic.hasSuffix("/request/restore") { return role == .restorer }
        if topic.hasSuffix("/request/backup") { return [.restorer, .operator, .console].contains(role) }
        if topic.contains("/request/") { return role == .operator || role == .console }
        guard levels.last == "set" else { return false }
        switch levels[levels.count - 2] {
        case "stop", "emergency_stop": return true
        case "drive", "power", "weapon", "field_orientation", "field_offset":
            return role == .driver || role == .console
        default: return role == .operator || role == .console
        }
    }

    /// The list of a bridge with a configured device and a configured group.
    static var list: AccessList {
        AccessList(
            BridgeSettings(
                id: "attic",
                devices: [.init(name: "hall/left", family: "tap", address: "AA:BB:CC:DD:EE:01")],
                groups: [.init(name: "hands", members: ["hall/left"])],
                homeAssistant: HomeAssistantSettings()),
            families: Registry.families)
    }

    @Test(
        "A harmless feature with the name of a hazardous or private one is not granted, and that is reported")
    func alike() {
        let list = AccessList(
            BridgeSettings(id: "attic"), families: Registry.families + [AlikeFamily()])
        func topics(_ role: Role) -> [String] { (list.entries(role) + list.stopEntries(role)).map(\.topic) }
        for role in Role.allCases where ![.bridge, .driver, .console].contains(role) {
            let granted = topics(role).filter { $0.hasSuffix("/power/set") || $0.hasSuffix("/drive/set") }
            #expect(granted == [], "\(role)")
        }
        for role in Role.allCases where ![.bridge, .typist, .console].contains(role) {
            #expect(!topics(role).contains("lamp/+/tapped"), "\(role)")
        }
        #expect(topics(.driver).contains("lamp/+/power/set") && topics(.typist).contains("lamp/+/tapped"))
        #expect(topics(.operator).contains("lamp/+/light/set") && topics(.viewer).contains("lamp/+/light"))
        #expect(list.refusals.count == 3)
        #expect(
            list.refusals.first?.hasPrefix(
                "the feature power of the family lamp has the name of a hazardous feature of robot") == true)
    }

    @Test("A name that bridges reject grants no rights, whatever its source")
    func refusedNames() {
        let names = ["reply/operator/t", "zone/x", "lamp/x", "bridge/attic", "hall/state"]
        let list = AccessList(
            BridgeSettings(
                id: "cellar",
                devices: [.init(name: "zone/left", family: "tap", address: "AA:BB:CC:DD:EE:01")],
                groups: [.init(name: "zone/hall", members: ["zone/left"])]),
            heard: names.enumerated().map { index, name in
                .init(name: name, family: "tap", address: Address(number: UInt64(index)))
            }, groups: ["belt/x", "reply/anna"], families: Registry.families + [AlikeFamily()])
        for role in Role.allCases {
            for name in names + ["zone/left", "zone/hall", "belt/x", "reply/anna"] {
                let granted = list.entries(role).filter {
                    $0.topic.hasPrefix(name + "/") && !$0.topic.contains("#")
                }
                #expect(granted == [], "\(role)")
            }
        }
    }

    @Test("Each role has exactly its documented rights, topic by topic", arguments: Role.allCases)
    func role(_ role: Role) async throws {
        var options = TestBroker.Options()
        options.accessList =
            Role.allCases.map { Self.list.text([$0], user: $0.rawValue) + "topic readwrite marker\n\n" }
            .joined() + "user root\ntopic readwrite #\n"
        options.users = ["root": "secret", role.rawValue: "secret"]
        let broker = try TestBroker(options)
        defer { broker.kill() }
        let loop = try EventLoop.start(name: "access")
        let log = LogRecord()
        func client(_ user: String) -> Client {
            var configuration = Configuration(host: "127.0.0.1", port: broker.port, clientID: "test-\(user)")
            configuration.username = user
            configuration.password = Secret("secret")
            return Client.open(configuration: configuration, loop: loop, logger: log.logger())
        }
        let (root, subject) = (client("root"), client(role.rawValue))
        let seen = (root: messages(root), subject: messages(subject))
        for client in [root, subject] { client.subscribe([TopicFilter("#", qos: 1)]) }
        async let rootRuns: Void = root.run()
        async let subjectRuns: Void = subject.run()
        // Retained, so that root receives it even if it subscribes later; the subject has subscribed earlier.
        subject.publish(OutgoingMessage(topic: "marker", payload: Array("here".utf8), policy: .state))
        _ = await topics(seen.root, until: "here")

        for topic in Self.topics + ["marker"] { subject.publish(message(topic, "end of writing")) }
        let written = await topics(seen.root, until: "end of writing")
        for topic in Self.topics + ["marker"] { root.publish(message(topic, "end of reading")) }
        let read = await topics(seen.subject, until: "end of reading")

        #expect(written.sorted() == Self.topics.filter { Self.mayWrite(role, $0) }.sorted())
        #expect(read.sorted() == Self.topics.filter { Self.mayRead(role, $0) }.sorted())
        await root.close()
        await subject.close()
        _ = await (rootRuns, subjectRuns)
        loop.stop()
    }

    private func messages(_ client: Client) -> AsyncStream<IncomingMessage> {
        let (stream, continuation) = AsyncStream.makeStream(of: IncomingMessage.self)
        client.onMessage { continuation.yield($0) }
        return stream
    }

    private func message(_ topic: String, _ payload: String) -> OutgoingMessage {
        OutgoingMessage(topic: topic, payload: Array(payload.utf8), policy: .event)
    }

    /// The topics of the messages with a payload, up to the message on the marker's topic.
    private func topics(_ messages: AsyncStream<IncomingMessage>, until payload: String) async -> [String] {
        var topics: [String] = []
        for await message in messages where String(decoding: message.payload, as: UTF8.self) == payload {
            guard message.topic != "marker" else { break }
            topics.append(message.topic)
        }
        return topics
    }
}

import EventLoop
import HostTesting
import JSON
import Testing

@Suite("Home Assistant's discovery messages on the broker", .serialized)
struct HomeAssistantTests {
    private static let bridge = "homeassistant/device/tactile_bridge_bridge_test/config"

    /// The topic of the belt's discovery message, which contains its simulated address.
    private func belt(_ watcher: Watcher) throws -> String {
        let connection = try #require(watcher.seen.last { $0.topic == "belt/connection" })
        let address = try #require(connection.json["address"]?.string)
        let id = address.lowercased().replacing(":", with: "")
        return "homeassistant/device/tactile_bridge_\(id)/config"
    }

    @Test(
        "The belt and its bridge are announced, again when Home Assistant starts, and cleared if forgotten")
    func life() throws {
        let bench = try Bench.withBelt()
        let late = try bench.watchAnew()
        try late.expectAll(
            ["belt/connection": nil, "belt/availability": "online", Self.bridge: nil], within: .seconds(30),
            fromStart: true)
        let topic = try belt(late)
        try late.expectAll([topic: nil], within: .seconds(30), fromStart: true)
        let message = try #require(late.seen.last { $0.topic == topic })
        // A connected client may have received another, unretained announcement since.
        #expect(late.seen.contains { $0.topic == topic && $0.isRetained })
        let announcement = try #require(message.json.announcement)
        #expect(announcement["device"]?["via_device"] == "tactile_bridge_bridge_test")
        let button = announcement["components"]?["button"]
        #expect(button?["platform"] == "event")
        #expect(button?["state_topic"] == "belt/button")

        try bench.publish("homeassistant/status", "online")
        try late.expect(Self.bridge) { !$0.isRetained }
        // Information that arrives from the belt changes its announcement; the newest version is repeated.
        var newest = message.payload
        try late.expect(topic, within: .seconds(30)) { message in
            defer { newest = message.payload }
            if message.payload != newest { try? bench.publish("homeassistant/status", "online") }
            return !message.isRetained && message.payload == newest
        }

        // The announced options are the values that the belt accepts.
        let mode = announcement["components"]?["mode_set_mode"]
        let command = try #require(mode?["command_topic"]?.string)
        #expect(try bench.ask(command, "app")["status"] == "ok")

        let answer = try bench.ask("bridge/test/request/forget", "belt")
        #expect(answer["status"] == "ok")
        try late.expect(topic, "")
        let anew = try bench.watchAnew()
        while let message = anew.next(within: .milliseconds(500)) {
            // The bench accepts every device, so the belt may join and be announced again.
            if message.topic == topic { break }
        }
        #expect(anew.seen.contains { $0.topic == Self.bridge && $0.isRetained })
    }

    @Test("If discovery is disabled, nothing is announced and earlier announcements are cleared")
    func disabled() throws {
        // Without a robot, as the bridge publishes a robot's status every 250 ms.
        let bench = try Bench.withBelt(scenario: "devices: { belt: }")
        try bench.watcher.expectAll([Self.bridge: nil], within: .seconds(30), fromStart: true)
        try bench.endBridge(with: 15)
        try bench.startBridge(environment: ["TACTILE_BRIDGE_HOME_ASSISTANT_ENABLED": "false"])
        try bench.watcher.expect(Self.bridge, "")
        try bench.watcher.expect("belt/availability", "online", within: .seconds(30))
        let late = try bench.watchAnew()
        try late.expectAll(["belt/availability": "online"], within: .seconds(30), fromStart: true)
        while late.next(within: .milliseconds(300)) != nil {}
        #expect(!late.seen.contains { $0.topic.hasPrefix("homeassistant/") })
    }
}

import Glibc
import HostTesting
import JSON
import Testing

@Suite("Gestures, from a TAP to MQTT and Home Assistant", .serialized)
struct GestureTests {
    private static let scenario = """
        devices:
          one: { kind: tap, bonded: true, address: "D7:A9:E0:8C:17:6E" }
          two: { kind: tap, bonded: true, address: "D7:A9:E0:8C:17:6F" }
          quiet: { kind: tap, bonded: true, address: "D7:A9:E0:8C:17:70" }
        """
    private static let configuration = """
        gestures: { devices: [tap/right] }
        devices:
          tap/left: { family: tap, address: "D7:A9:E0:8C:17:6E" }
          tap/right: { family: tap, address: "D7:A9:E0:8C:17:6F", gestures: music, pair: tap/left }
          tap/quiet: { family: tap, address: "D7:A9:E0:8C:17:70", publish_taps: false }
        """
    private static let home = """
        version: 1
        family: tap
        layers:
          base:
            - { inputs: tapped thumb+index, action: lights_off }
            - { inputs: [tapped thumb, tapped thumb], action: scene }
            - { inputs: [other tapped index & tapped middle], action: both }
            - { inputs: gesture one_finger_up, action: up, layer: media }
          media:
            - { inputs: tapped thumb+index, action: next }
        actions:
          lights_off:
            feedback: normal
            commands: [ { device: tap/right, command: haptic, payload: heavy } ]
        """
    private static let music = """
        version: 1
        family: tap
        layers: { base: [ { inputs: tapped thumb+index, action: play } ] }
        """

    /// Starts the command that shows the actions of a TAP.
    private func watch(_ bench: Bench, gestures: String) throws -> Program {
        try Program(
            "tactile-bridge", ["gestures", "watch", "tap/left", "--config", try bench.configure("")],
            environment: [
                "TACTILE_BRIDGE_GESTURES_DIRECTORY": gestures, "TACTILE_BRIDGE_BRIDGE_ID": "test",
                "TACTILE_BRIDGE_MQTT_HOST": "127.0.0.1", "TACTILE_BRIDGE_MQTT_PORT": "\(bench.broker.port)",
            ])
    }

    @Test("Two TAPs publish the actions of their files, and Home Assistant gets a trigger for each")
    func actions() throws {
        let bench = try Bench()
        let folder = try TemporaryDirectory()
        _ = try folder.write(Self.home, to: "home.yaml")
        _ = try folder.write(Self.music, to: "music.yaml")
        try bench.startSimulator(scenario: Self.scenario)
        try bench.startBridge(
            configuration: Self.configuration,
            environment: ["TACTILE_BRIDGE_GESTURES_DIRECTORY": folder.file("")])
        for name in ["tap/left", "tap/right", "tap/quiet"] {
            try bench.watcher.expectAll(
                ["\(name)/availability": "online", "\(name)/input_mode": nil], within: .seconds(30),
                fromStart: true)
        }
        let watch = try self.watch(bench, gestures: folder.file(""))
        defer { watch.end(with: SIGKILL) }
        try watch.expectLine("layer base", within: .seconds(10))
        try bench.act("one 3")
        let action = try bench.watcher.expect("tap/left/action")
        #expect(action.json["action"] == "lights_off" && action.json["layer"] == "base")
        #expect(action.json["inputs"] == ["tapped"] && action.json["seq"] == 1)
        #expect(!action.isRetained)
        #expect(bench.watcher.seen.contains { $0.topic == "tap/left/tapped" }, "the tap itself is published")
        for name in ["tap/left", "tap/right"] {
            try bench.watcher.expect("\(name)/result", fromStart: true) {
                $0.json["feature"] == "haptic" && $0.json["status"] == "ok"
            }
        }
        try bench.act("two 3")
        try bench.watcher.expect("tap/right/action") { $0.json["action"] == "play" }
        try bench.act("one 1")
        try bench.act("one 1")
        try bench.watcher.expect("tap/left/action") { $0.json["action"] == "scene" }
        try bench.act("two 2")
        try bench.act("one 4")
        let both = try bench.watcher.expect("tap/left/action") { $0.json["action"] == "both" }
        #expect(both.json["inputs"] == ["other tapped", "tapped"])
        try bench.act("one gesture 2")
        try bench.watcher.expect("tap/left/action") { $0.json["action"] == "up" }
        try bench.watcher.expect("tap/left/action_layer") { $0.json == "media" }
        // It receives the messages of a device in order.
        let lines = [
            "tapped thumb+index", "  -> lights_off (tapped)", "tapped thumb", "tapped thumb",
            "  -> scene (tapped, tapped)", "tapped middle", "  -> both (other tapped, tapped)",
            "gesture one_finger_up", "  -> up (gesture one_finger_up)", "layer media",
        ]
        for line in lines { #expect(watch.nextLine(within: .seconds(5)) == line) }
        let unable = try self.watch(bench, gestures: folder.file("none"))
        try unable.expectLine("no gesture file is for the family tap of tap/left", within: .seconds(10))
        #expect(unable.wait() == 69)
        try bench.act("quiet 3")
        try bench.act("quiet gesture 2")
        let first = try bench.watcher.expect("tap/quiet/action")
        #expect(first.json["action"] == "up" && first.json["seq"] == 1, "without taps, no action of taps")
        try bench.act("one 3")
        try bench.watcher.expect("tap/left/action") {
            $0.json["action"] == "next" && $0.json["layer"] == "media"
        }
        let announced = try bench.watchAnew().expect(
            "homeassistant/device/tactile_bridge_d7a9e08c176e/config", fromStart: true)
        let components = (announced.json.announcement?["components"]?.object?.members ?? []).map(\.value)
        let subtypes = components.compactMap { $0["subtype"]?.string }
        #expect(Set(["lights_off", "scene", "up", "next", "play"]).isSubset(of: subtypes), "\(subtypes)")
        let events = components.filter { $0["platform"] == "event" }.compactMap { $0["name"]?.string }
        #expect(events.contains("Action"))
        #expect(components.contains { $0["platform"] == "sensor" && $0["name"] == "Action layer" })
    }
}

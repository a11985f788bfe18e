import HostTesting
import JSON
import Testing

@Suite("Gestures, from a TAP to MQTT and Home Assistant", .serialized)
struct GestureTests {
    private static let scenario = """
        devices:
          one: { kind: tap, bonded: true, address: "D7:A9:E0:8C:17:6E" }
          two: { kind: tap, bonded: true, address: "D7:A9:E0:8C:17:6F" }
        """
    private static let configuration = """
        gestures: { devices: [tap/right] }
        devices:
          tap/left: { family: tap, address: "D7:A9:E0:8C:17:6E" }
          tap/right: { family: tap, address: "D7:A9:E0:8C:17:6F", gestures: music, pair: tap/left }
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
        for name in ["tap/left", "tap/right"] {
            try bench.watcher.expectAll(
                ["\(name)/availability": "online", "\(name)/input_mode": nil], within: .seconds(30),
                fromStart: true)
        }
        try bench.act("one 3")
        let action = try bench.watcher.expect("tap/left/action")
        #expect(action.json["action"] == "lights_off" && action.json["layer"] == "base")
        #expect(action.json["inputs"] == ["tapped thumb+index"] && action.json["seq"] == 1)
        #expect(!action.isRetained)
        #expect(bench.watcher.seen.contains { $0.topic == "tap/left/tapped" }, "the tap itself is published")
        for name in ["tap/left", "tap/right"] {
            try bench.watcher.expect("\(name)/result") {
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
        #expect(both.json["inputs"] == ["other tapped index", "tapped middle"])
        try bench.act("one gesture 2")
        try bench.watcher.expect("tap/left/action") { $0.json["action"] == "up" }
        try bench.watcher.expect("tap/left/action_layer") { $0.json == "media" }
        try bench.act("one 3")
        try bench.watcher.expect("tap/left/action") {
            $0.json["action"] == "next" && $0.json["layer"] == "media"
        }
        let announced = try bench.watchAnew().expect(
            "homeassistant/device/tactile_bridge_d7a9e08c176e/config", fromStart: true)
        let components = (announced.json["components"]?.object?.members ?? []).map(\.value)
        let subtypes = components.compactMap { $0["subtype"]?.string }
        #expect(Set(["lights_off", "scene", "up", "next", "play"]).isSubset(of: subtypes), "\(subtypes)")
        let events = components.filter { $0["platform"] == "event" }.compactMap { $0["name"]?.string }
        #expect(events.contains("Action"))
    }
}

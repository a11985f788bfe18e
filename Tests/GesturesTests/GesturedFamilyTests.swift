import Bluetooth
import DeviceKit
import Gestures
import JSON
import Testing

@Suite("A family with gestures")
struct GesturedFamilyTests {
    private static let text = """
        version: 1
        family: remote
        layers:
          base:
            - { inputs: button up, action: brighter }
            - { inputs: [button up, button down], action: toggle }
            - { inputs: button down, layer: other }
          other:
            - { inputs: button up, action: louder }
        """

    private func family() throws -> any DeviceFamily {
        let file = try GestureFile(Self.text, path: "g.yaml", families: [RemoteFamily()])
        return GestureFile.apply([("living_room", file)], to: [RemoteFamily()])[0]
    }

    private func press(
        _ machine: inout any DeviceMachine, _ button: String, _ milliseconds: Int
    ) -> [Effect] {
        var effects = Effects()
        machine.handle(
            .command(CommandID(1), feature: button, [:]), at: .milliseconds(milliseconds), effects: &effects)
        return effects.list
    }

    private func action(_ name: String, _ layer: String, _ inputs: [JSON.Value]) -> Effect {
        .publish(
            feature: "action", ["action": .string(name), "layer": .string(layer), "inputs": .array(inputs)])
    }

    @Test("The family has an event for actions, a setting for the file, and a new revision")
    func declared() throws {
        let family = try family()
        #expect(
            family.name == "remote" && family.features.map(\.name) == ["button", "action", "action_layer"])
        guard case .object(let fields)? = family.features[1].report?.payload else {
            return #expect(Bool(false), "an object")
        }
        #expect(fields[0].type == .choice(["brighter", "toggle", "louder"]))
        #expect(family.features[2].report?.payload == .plain(.choice(["none", "base", "other"]), unit: nil))
        #expect(family.settings.map(\.name) == ["gestures", "pair"])
        #expect(family.settings[0].type == .choice(["none", "living_room"]))
        #expect(family.revision != RemoteFamily().revision)
        #expect(GestureFile.apply([], to: [RemoteFamily()])[0] is RemoteFamily)
    }

    @Test("An event is published, and the action after it; a gesture that waits has a timer")
    func actions() throws {
        var machine = try family().makeMachine(DeviceContext(address: "AA:BB:CC:00:00:01"))
        #expect(
            press(&machine, "up", 0) == [
                .publish(feature: "button", ["button": "up"]),
                .startTimer("gesture", after: .milliseconds(500)),
            ])
        #expect(
            press(&machine, "down", 100) == [
                .publish(feature: "button", ["button": "down"]),
                action("toggle", "base", ["button up", "button down"]), .cancelTimer("gesture"),
            ])
        _ = press(&machine, "up", 1000)
        var effects = Effects()
        machine.handle(.timer("gesture"), at: .milliseconds(1500), effects: &effects)
        #expect(effects.list == [action("brighter", "base", ["button up"]), .cancelTimer("gesture")])
        _ = press(&machine, "down", 2000)
        #expect(press(&machine, "up", 2100).last == action("louder", "other", ["button up"]))
    }

    @Test("An action names a private event without its words, which only some users may read")
    func privateInputs() throws {
        var base = RemoteFamily()
        base.features[0].isPrivate = true
        let text = """
            version: 1
            family: remote
            layers: { base: [ { inputs: [button up, other button down], action: a } ] }
            """
        let file = try GestureFile(text, path: "g.yaml", families: [base])
        let family = GestureFile.apply([("g", file)], to: [base])[0]
        let shown: JSON.Value = ["action": "a", "layer": "base", "inputs": ["button", "other button"]]
        #expect(family.features[1].report?.example == shown)
        var machine = family.makeMachine(DeviceContext(address: "AA:BB:CC:00:00:01"))
        _ = press(&machine, "up", 0)
        var effects = Effects()
        machine.handle(.relayed("button down"), at: .milliseconds(100), effects: &effects)
        #expect(effects.list.contains(.publish(feature: "action", shown)), "\(effects.list)")
    }

    @Test("A new link starts in the first layer")
    func links() throws {
        var machine = try family().makeMachine(DeviceContext(address: "AA:BB:CC:00:00:01"))
        let layer = { (name: JSON.Value) in Effect.publish(feature: "action_layer", name) }
        #expect(
            machine.effects(of: .connected(LinkProfile(characteristics: [:]))) == [.ready, layer("base")])
        #expect(press(&machine, "down", 0).last == layer("other"))
        #expect(machine.effects(of: .disconnected, at: .milliseconds(50)) == [layer("base")])
        #expect(press(&machine, "up", 100).last == .startTimer("gesture", after: .milliseconds(500)))
    }

    @Test("The commands of an action follow it; a stop drops the inputs that wait")
    func commands() throws {
        let file = try GestureFile(
            Self.text + """

                actions:
                  toggle: { commands: [ { device: lamp, command: level, payload: 60 } ] }
                """, path: "g.yaml", families: [RemoteFamily()])
        var machine = GestureFile.apply([("a", file)], to: [RemoteFamily()])[0]
            .makeMachine(DeviceContext(address: "AA:BB:CC:00:00:01"))
        _ = press(&machine, "up", 0)
        #expect(
            press(&machine, "down", 100).suffix(3) == [
                action("toggle", "base", ["button up", "button down"]),
                .command(DeviceCommand(device: "lamp", feature: "level", payload: 60)),
                .cancelTimer("gesture"),
            ])
        _ = press(&machine, "up", 1000)
        #expect(machine.effects(of: .stop(.allStop), at: .milliseconds(1050)) == [.cancelTimer("gesture")])
        let events = press(&machine, "down", 1100)
        #expect(!events.contains(action("toggle", "base", ["button up", "button down"])), "\(events)")
    }

    @Test("The events of one device of a pair are inputs of the other device")
    func pairs() throws {
        let file = try GestureFile(
            """
            version: 1
            family: remote
            layers:
              base:
                - { inputs: other button up, action: theirs }
                - { inputs: button up & other button down, action: both }
            """, path: "g.yaml", families: [RemoteFamily()])
        let family = GestureFile.apply([("a", file)], to: [RemoteFamily()])[0]
        var left = family.makeMachine(DeviceContext(address: "AA:BB:CC:00:00:01"))
        var right = family.makeMachine(
            DeviceContext(
                address: "AA:BB:CC:00:00:02", settings: ["gestures": "none", "pair": "remote/left"]))
        #expect(
            press(&right, "up", 0) == [
                .publish(feature: "button", ["button": "up"]),
                .relay(to: "remote/left", input: "button up"),
            ])
        #expect(
            left.effects(of: .relayed("button up")) == [action("theirs", "base", ["other button up"])])
        _ = press(&left, "up", 1000)
        #expect(
            left.effects(of: .relayed("button down"), at: .milliseconds(1200)) == [
                action("both", "base", ["button up", "other button down"]), .cancelTimer("gesture"),
            ])
        _ = left.effects(of: .relayed("button down"), at: .milliseconds(2000))
        #expect(
            press(&left, "up", 2100).contains(
                action("both", "base", ["other button down", "button up"])))
    }

    @Test("A device whose setting is none has no gestures")
    func none() throws {
        var machine = try family().makeMachine(
            DeviceContext(address: "AA:BB:CC:00:00:01", settings: ["gestures": "none"]))
        #expect(press(&machine, "up", 0) == [.publish(feature: "button", ["button": "up"])])
        #expect(
            machine.effects(of: .connected(LinkProfile(characteristics: [:])))
                == [.ready, .publish(feature: "action_layer", "none")])
    }

    @Test("A trace shows the inputs, the layer, and the actions")
    func trace() throws {
        #expect(GestureTrace(RemoteFamily()) == nil)
        var trace = try #require(GestureTrace(try family()))
        #expect(trace.features == ["button", "action", "action_layer"])
        let lines: [(String, JSON.Value)] = [
            ("button", ["button": "up"]), ("action_layer", "base"), ("button", ["button": "down"]),
            ("action", ["action": "toggle", "layer": "base", "inputs": ["button up", "button down"]]),
            ("action_layer", "other"), ("button", ["button": "down"]), ("battery", 5), ("action", 5),
        ]
        #expect(
            lines.compactMap { trace.line($0, $1) } == [
                "button up", "layer base", "button down", "  -> toggle (button up, button down)",
                "layer other", "button down (in no gesture of the layer other)",
            ])
    }

    @Test("The feedback of an action is a command to the device itself, before the commands to other devices")
    func feedback() throws {
        var family = RemoteFamily()
        family.features.append(.haptic())
        let file = try GestureFile(
            """
            version: 1
            family: remote
            layers: { base: [ { inputs: button up, action: greet } ] }
            actions:
              greet:
                commands: [ { device: lamp, command: toggle } ]
                feedback: heavy
            """, path: "g.yaml", families: [family])
        var machine = GestureFile.apply([("a", file)], to: [family])[0]
            .makeMachine(DeviceContext(address: "AA:BB:CC:00:00:01"))
        #expect(
            press(&machine, "up", 0).dropFirst(2) == [
                .command(DeviceCommand(feature: "haptic", payload: ["pattern": "heavy"])),
                .command(DeviceCommand(device: "lamp", feature: "toggle", payload: [:])),
            ])
        let error = #expect(throws: GestureFile.Problems.self) {
            try GestureFile(
                Self.text + "\nactions: { toggle: { feedback: heavy } }", path: "g.yaml",
                families: [RemoteFamily()])
        }
        #expect(
            error?.lines == [
                "g.yaml:10:32: actions.toggle.feedback: found heavy; allowed: no feedback, because a Remote cannot "
                    + "vibrate"
            ])
    }

    @Test(
        "A family that has a name of the gestures keeps it, and a gesture file for it is refused",
        arguments: [
            ("action", "a feature named action"), ("action_layer", "a feature named action_layer"),
            ("other", "an event named other"),
        ])
    func ownFeature(name: String, words: String) {
        var family = RemoteFamily()
        family.features.append(
            Feature(
                name, "Its own.",
                report: Report(.event, [Field("is", .boolean, "Which.")], example: ["is": true])))
        #expect(refusal(of: family) == "a family without \(words)")
    }

    @Test("A family with a setting of the gestures, or without events, is refused")
    func ownSetting() {
        for name in ["gestures", "pair"] {
            var family = RemoteFamily()
            family.settings = [Field(name, .text(0...9), default: "", "Its own.")]
            #expect(refusal(of: family) == "a family without a setting named \(name)")
        }
        var family = RemoteFamily()
        family.features = []
        #expect(refusal(of: family) == "a family that reports events")
    }

    private func refusal(of family: RemoteFamily) -> String? {
        let error = #expect(throws: GestureFile.Problems.self) {
            try GestureFile(Self.text, path: "g.yaml", families: [family])
        }
        let start = "g.yaml:2:9: family: found remote; allowed: "
        #expect(error?.lines.count == 1 && error?.lines[0].hasPrefix(start) == true, "\(error?.lines ?? [])")
        return error.map { String($0.lines[0].dropFirst(start.count)) }
    }

    @Test("A family with gestures is as hazardous as without, whichever declaration makes it hazardous")
    func hazard() throws {
        #expect(try !family().isHazardous)
        var critical = RemoteFamily()
        critical.requirements.isSafetyCritical = true
        var moving = RemoteFamily()
        moving.limits = MotionGate.Limits(maxPathDelay: .milliseconds(750))
        var pushing = RemoteFamily()
        pushing.features.append(
            Feature("push", "Pushes.", command: Command([], empty: [:], traits: .hazardous, example: [:])))
        for family in [critical, moving, pushing] {
            let file = try GestureFile(Self.text, path: "g.yaml", families: [family])
            let gestured = GestureFile.apply([("a", file)], to: [family])[0]
            #expect(gestured is GesturedFamily && gestured.isHazardous)
        }
    }
}

import DeviceCatalog
import DeviceKit
import JSON
import Testing

@testable import Gestures

@Suite("Gesture files")
struct GestureFileTests {
    private static let text = """
        version: 1
        family: tap
        within_ms: 400
        layers:
          base:
            - { inputs: tapped thumb, action: light }
            - { inputs: [tapped middle+index, tapped thumb], action: scene, layer: media }
          media:
            - { inputs: gesture one_finger_up, layer: base }
        """

    private static let manyLayers = (1...17).map { "l\($0): x" }.joined(separator: ", ")
    private static let manyInputs = Array(repeating: "tapped thumb", count: 9).joined(separator: ", ")
    private static let manyCommands =
        Array(repeating: "{ device: belt, command: a }", count: 9).joined(separator: ", ")

    private func read(_ text: String) throws(GestureFile.Problems) -> GestureFile {
        try GestureFile(text, path: "g.yaml", families: Registry.families)
    }

    @Test("A file has layers with gestures; the fingers of a chord can be in any order")
    func content() throws {
        let file = try read(Self.text)
        #expect(file.family == "tap")
        #expect(
            file.map
                == GestureMap(
                    [
                        .init(
                            "base",
                            [
                                .init(["tapped thumb"], action: "light"),
                                .init(
                                    ["tapped index+middle", "tapped thumb"], action: "scene", layer: "media"),
                            ]),
                        .init("media", [.init(["gesture one_finger_up"], layer: "base")]),
                    ], within: .milliseconds(400)))
        #expect(file.map.actions == ["light", "scene"])
    }

    @Test(
        "A mistake is reported with line, key, and what is allowed",
        arguments: [
            (
                "[]",
                "g.yaml:1:1: the file: found a list of 0; allowed: a mapping with version family within_ms layers actions"
            ),
            ("version: 1", "g.yaml:1:1: the file: family is missing"),
            ("version: 2\nfamily: tap\nlayers: 5", "g.yaml:1:10: version: found 2; allowed: 1"),
            ("version: 1\nfamily: tap\nlayers: 5", "g.yaml:3:9: layers: found 5; allowed: a mapping"),
            ("version: 1\nfamily: cat\nlayers: {}", "g.yaml:2:9: family: found cat; allowed: one of belt"),
            (
                "version: 1\nfamily: tap\nlayers: {}",
                "g.yaml:3:9: layers: found 0 layers; allowed: 1...16"
            ),
            (
                "version: 1\nfamily: tap\nlayers: { \(Self.manyLayers) }",
                "g.yaml:3:9: layers: found 17 layers; allowed: 1...16"
            ),
            (
                "version: 1\nfamily: tap\nlayers: { My layer: [ { inputs: tapped thumb, action: a } ] }",
                "g.yaml:3:11: layers: found My layer; allowed: names of a-z 0-9 _, at most 64"
            ),
            (
                "version: 1\nfamily: tap\nlayers: { base: [] }",
                "g.yaml:3:17: layers.base: found a list of 0; allowed: a list of 1...100 gestures"
            ),
            (
                "version: 1\nfamily: tap\nwithin_ms: 50\nlayers: {}",
                "g.yaml:3:12: within_ms: found 50; allowed: 100...5000"
            ),
            (
                "version: 1\nfamily: tap\nwithin_ms: soon\nlayers: {}",
                "g.yaml:3:12: within_ms: found soon; allowed: 100...5000"
            ),
            ("family: [", "g.yaml:"),
            ("version: 1\nfamily: tap\nname: x", "g.yaml:3:1: name: not known here; allowed: version"),
        ])
    func refused(text: String, words: String) {
        let error = #expect(throws: GestureFile.Problems.self) { try read(text) }
        #expect(error?.lines.first?.hasPrefix(words) == true, "\(error?.lines ?? [])")
    }

    @Test(
        "A mistake in a gesture is reported",
        arguments: [
            ("{ action: a }", "layers.base[0]: inputs is missing"),
            ("{ inputs: tapped thumb }", "layers.base[0]: found a mapping; allowed: action or layer or both"),
            ("{ inputs: [], action: a }", "layers.base[0].inputs: found a list of 0; allowed: 1...8 inputs"),
            (
                "{ inputs: [\(Self.manyInputs)], action: a }",
                "layers.base[0].inputs: found a list of 9; allowed: 1...8 inputs"
            ),
            (
                "{ inputs: tapped thumb & tapped index & tapped ring, action: a }",
                "allowed: two different inputs joined by &"
            ),
            (
                "{ inputs: tapped nose & tapped thumb, action: a }",
                "layers.base[0].inputs: found tapped nose & tapped thumb; allowed: tapped, then for fingers"
            ),
            (
                "{ inputs: tapped thumb, action: a, after: 5 }",
                "g.yaml:5:42: after: not known here; allowed: inputs action layer"
            ),
            (
                "{ inputs: tapped nose, action: a }",
                "layers.base[0].inputs: found tapped nose; allowed: tapped, then for fingers words joined by +: thumb"
            ),
            (
                "{ inputs: tapped, action: a }",
                "layers.base[0].inputs: found tapped; allowed: tapped, then a word"
            ),
            (
                "{ inputs: sung la, action: a }",
                "layers.base[0].inputs: found sung la; allowed: one of tapped"
            ),
            (
                "{ inputs: other tapped nose, action: a }",
                "layers.base[0].inputs: found other tapped nose; allowed: tapped, then for fingers"
            ),
            (
                "{ inputs: tapped thumb & tapped thumb, action: a }",
                "layers.base[0].inputs: found tapped thumb & tapped thumb; allowed: two different inputs"
            ),
            ("{ inputs: tapped thumb, action: A b }", "layers.base[0].action: found A b; allowed: a name"),
            ("{ inputs: tapped thumb, layer: top }", "layers.base[0].layer: found top; allowed: one of base"),
            ("7", "layers.base[0]: found 7; allowed: a mapping with inputs action layer"),
        ])
    func gesture(text: String, words: String) {
        let error = #expect(throws: GestureFile.Problems.self) {
            try read("version: 1\nfamily: tap\nlayers:\n  base:\n    - \(text)")
        }
        #expect(error?.lines.count == 1 && error?.lines[0].contains(words) == true, "\(error?.lines ?? [])")
    }

    private static let one = """
        version: 1
        family: tap
        layers: { base: [ { inputs: tapped thumb, action: north } ] }
        actions:

        """

    @Test("An action has feedback and commands")
    func actions() throws {
        let file = try read(
            Self.one + """
                  north:
                    feedback: normal
                    commands:
                      - { device: belt, command: haptic, payload: { pattern: gradual, intensity: 0.5 } }
                      - { device: lamp, command: toggle }
                """)
        let commands = [
            DeviceCommand(feature: "haptic", payload: ["pattern": "normal"]),
            DeviceCommand(
                device: "belt", feature: "haptic", payload: ["pattern": "gradual", "intensity": 0.5]),
            DeviceCommand(device: "lamp", feature: "toggle", payload: [:]),
        ]
        #expect(file.map.commands == ["north": commands])
        #expect(
            file.commands.map(\.place) == [
                "g.yaml:6:15: actions.north.feedback", "g.yaml:8:9: actions.north.commands[0]",
                "g.yaml:9:9: actions.north.commands[1]",
            ])
        #expect(file.commands.map(\.command) == commands)
    }

    @Test(
        "A mistake in an action is reported",
        arguments: [
            ("  5", "actions: found 5; allowed: a mapping of actions"),
            ("  south: {}", "g.yaml:5:3: actions: found south; allowed: an action of a gesture: north"),
            (
                "  north: { say: hello }",
                "g.yaml:5:12: say: not known here; allowed: feedback commands"
            ),
            (
                "  north: { commands: { device: belt, command: a } }",
                "actions.north.commands: found a mapping; allowed: a list of 1...8 commands"
            ),
            (
                "  north: { commands: [\(Self.manyCommands)] }",
                "actions.north.commands: found a list of 9; allowed: a list of 1...8"
            ),
            (
                "  north: { commands: [ { device: belt, command: a, topic: b } ] }",
                "g.yaml:5:52: topic: not known here; allowed: device command payload"
            ),
            (
                "  north: { commands: [ { device: belt, command: {} } ] }",
                "actions.north.commands[0].command: found a mapping; allowed: the name of a command"
            ),
            ("  north: {}", "actions.north: found a mapping; allowed: feedback or commands or both"),
            (
                "  north: { feedback: }",
                "actions.north.feedback: found nothing; allowed: the name of a pattern"
            ),
            (
                "  north: { commands: [] }",
                "actions.north.commands: found a list of 0; allowed: a list of 1...8"
            ),
            ("  north: { commands: [ { command: a } ] }", "actions.north.commands[0]: device is missing"),
            ("  north: { commands: [ { device: belt } ] }", "actions.north.commands[0]: command is missing"),
            (
                "  north: { commands: [ { device: [], command: a } ] }",
                "actions.north.commands[0].device: found a list of 0; allowed: the name of a device"
            ),
        ])
    func refusedAction(text: String, words: String) {
        let error = #expect(throws: GestureFile.Problems.self) { try read(Self.one + text) }
        #expect(error?.lines.first?.contains(words) == true, "\(error?.lines ?? [])")
    }

    @Test(
        "Gestures in the air and presses of the hand are inputs too",
        arguments: ["air_gesture thumb_index_hold", "pointer drag index", "tapped thumb+index+pinky"])
    func kinds(input: String) throws {
        let file = try read(
            "version: 1\nfamily: tap\nlayers:\n  base:\n    - { inputs: \(input), action: a }")
        #expect(file.map.layers[0].gestures == [.init([input], action: "a")])
    }

    @Test("Inputs of both hands are in any order")
    func bothHands() throws {
        let file = try read(
            "version: 1\nfamily: tap\nlayers:\n  base:\n    - { inputs: [tapped thumb & other tapped index, "
                + "other gesture one_finger_up], action: a }")
        #expect(
            file.map.layers[0].gestures == [
                .init(
                    ["tapped thumb", "other tapped index", "other gesture one_finger_up"], action: "a"),
                .init(
                    ["other tapped index", "tapped thumb", "other gesture one_finger_up"], action: "a"),
            ])
    }

    @Test("Two gestures of a layer with the same inputs are refused")
    func twice() {
        let error = #expect(throws: GestureFile.Problems.self) {
            try read(
                "version: 1\nfamily: tap\nlayers:\n  base:\n    - { inputs: tapped thumb, action: a }\n"
                    + "    - { inputs: tapped thumb, action: b }")
        }
        #expect(
            error?.lines == [
                "g.yaml:6:7: layers.base[1].inputs: found tapped thumb; allowed: inputs that no other gesture of "
                    + "the layer has"
            ])
    }
}

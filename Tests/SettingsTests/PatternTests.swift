import BridgeContract
import DeviceCatalog
import DeviceKit
import Glibc
import Haptics
import JSON
import Logging
import Testing

@testable import BridgeConfiguration
@testable import HostServices
@testable import Terminal

@Suite("Pattern files and their drawings")
struct PatternTests {
    private func read(_ name: String, _ text: String) throws(HapticsError) -> AHAPFile {
        try PatternFolder.read(name, Array(text.utf8))
    }

    @Test("A YAML file is a list of events, with a description for users")
    func yaml() throws {
        let text = """
            description: "A tap and a touch"
            events:
              - { time: 0, kind: transient, intensity: 1, sharpness: 0.9 }
              - time: 0.5
                kind: continuous
                duration: 0.25
            """
        let pattern = try read("touch.yaml", text).pattern
        #expect(
            pattern.events == [
                Event(time: 0, .transient, intensity: 1, sharpness: 0.9),
                Event(time: 0.5, .continuous(duration: 0.25), intensity: 1, sharpness: 0.5),
            ])
        #expect(pattern.metadata == ["Description": "A tap and a touch"])
    }

    @Test(
        "Errors of a YAML file have their place",
        arguments: [
            ("", "the top level: a mapping with events, got null"),
            ("events:\n  - {", "line 3: not valid YAML"),
            ("events: []", "events: at least one event"),
            ("event: []", "event: not known here; allowed: description events position"),
            ("events:\n  - { kind: continuous }", "events[0].duration: missing"),
            (
                "events:\n  - { kind: transient, intensity: \"1\" }",
                "events[0].intensity: a number, got \"1\""
            ),
            ("events:\n  - { kind: transient, time: .inf }", "events[0].time: a number, got \".inf\""),
            ("events:\n  - { kind: transient, time: 1e400 }", "events[0].time: a number, got \"1e400\""),
        ])
    func refused(text: String, words: String) {
        let error = #expect(throws: HapticsError.self) { try read("bad.yaml", text) }
        #expect(error?.description.hasPrefix(words) == true, "\(error?.description ?? "")")
    }

    @Test("A file ends in .ahap, .haptic, .yaml or .yml in any case; ignored names and non-files are listed")
    func endings() async throws {
        try await ConfigurationScope.with { scope in
            let events = "events: [ { kind: transient, time: 0 } ]"
            for name in ["knock.yml", "tap.YAML", "notes.txt", ".off.yaml"] { try scope.write(name, events) }
            try scope.write(
                "Hit.AHAP",
                #"{"Pattern":[{"Event":{"Time":0,"EventType":"HapticTransient","EventParameters":[]}}]}"#)
            try scope.write(
                "Swell.haptic",
                #"{"version":{"major":1},"signals":{"continuous":{"envelopes":{"amplitude":["#
                    + #"{"time":0,"amplitude":0},{"time":1,"amplitude":1}]}}}}"#)
            #expect(mkfifo("\(scope.folder)/pipe.ahap", 0o600) == 0)
            let folder = PatternFolder(path: scope.folder)
            let library = folder.load()
            #expect(Set(library.names).subtracting(Library.builtIn) == ["Hit", "Swell", "knock", "tap"])
            #expect(library.problems.map(\.description) == ["pipe.ahap: not a regular file"])
            #expect(
                folder.ignored
                    == [".off.yaml", "notes.txt"].map {
                        "\(scope.folder)/\($0): ignored; allowed: a name that ends in .ahap or .haptic or .yaml or .yml"
                            + ($0 == ".off.yaml" ? " and does not start with a dot" : "")
                    })
        }
    }

    @Test("An unusable pattern file is listed with unusable device files, at a reload too")
    func leftOut() async throws {
        try await ConfigurationScope.with { scope in
            try scope.write("knock.yaml", "events: 7")
            try scope.write("tap.yaml", "events: [ { kind: transient, time: 0 } ]")
            try scope.write("tap.yml", "events: [ { kind: transient, time: 0 } ]")
            let loader = SettingsLoader(
                families: Registry.families,
                host: Host(environment: ["TACTILE_BRIDGE_HAPTICS_DIRECTORY": scope.folder], name: "attic"),
                usualFile: "/nonexistent")
            let read = try loader.load()
            #expect(
                read.leftOut == [
                    "\(scope.folder)/knock.yaml: events: an array, got 7",
                    "\(scope.folder)/tap.yml: the name: another file already has this name",
                ])
            #expect(read.jsonLine.contains(#""left_out":["\#(scope.folder)/knock.yaml"#))
            let log = LogControl(level: .error, format: .text) { _ in }
            #expect(try LiveConfiguration(read, loader: loader, log: log).read().leftOut == read.leftOut)
        }
    }

    @Test("A missing folder is empty")
    func missing() {
        #expect(PatternFolder(path: "/nowhere/patterns").load().names == Library.builtIn)
    }

    @Test("The drawing shows a pattern's strength over time")
    func drawing() {
        let timeline = Timeline(.heavy)
        let lines = PatternDrawing(intensity: { timeline.intensity(at: $0) }, length: timeline.length).lines
        #expect(lines.count == 12)
        #expect(lines[0] == "1.0 │" + String(repeating: "█", count: 10) + String(repeating: " ", count: 40))
        #expect(lines[9] == "    │" + String(repeating: "█", count: 50))
        #expect(lines[10] == "0.0 └" + String(repeating: "─", count: 50))
        #expect(lines[11].hasPrefix("     0 s") && lines[11].hasSuffix("1 s"))
    }

    @Test("A drawing shows half strength in eighths of a row, and fits long patterns into a terminal's width")
    func scale() {
        let drawing = PatternDrawing(intensity: { _ in 0.5 }, length: .seconds(600))
        #expect(drawing.lines.allSatisfy { $0.count <= 80 })
        #expect(drawing.lines[5].contains("█") && !drawing.lines[4].contains("█"))
        #expect(PatternDrawing.seconds(.milliseconds(1250)) == "1.25 s")
        #expect(PatternDrawing.seconds(.seconds(20)) == "20 s")
    }

    @Test("Every family that plays patterns shows its rendering; the others report that they play none")
    func previews() throws {
        for family in Registry.families {
            let preview = try family.preview(haptic: ["pattern": "heavy"])
            #expect((preview != nil) == (family.feature(Feature.hapticName) != nil), "\(family.name)")
            guard let preview else { continue }
            let felt = preview.strokes.reduce(0) { $0 + $1.intensity * ($1.length / .milliseconds(1)) }
            #expect(abs(felt - 600) < 20, "\(family.name): a second with the mean intensity of 0.6")
            #expect(!preview.lines.isEmpty)
        }
    }
}

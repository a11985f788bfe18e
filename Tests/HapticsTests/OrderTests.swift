import Haptics
import JSON
import Testing

@Suite("Requests to a device that can vibrate")
struct OrderTests {
    private func performance(_ arguments: JSON.Object, _ library: Library = Library()) throws -> Performance {
        guard case .play(let performance) = try Order(arguments, library: library) else {
            throw HapticsError(.invalid, "pattern", "stop")
        }
        return performance
    }

    @Test("Built-in patterns accept their parameters, and the word stop is a stop")
    func builtIn() throws {
        #expect(try performance(["pattern": "normal"]).pattern == .normal)
        #expect(try performance(["pattern": "gradual"]).pattern == .gradual(intensity: 0.6))
        #expect(try performance(["pattern": "gradual", "intensity": 1]).pattern == .gradual(intensity: 1))
        #expect(
            try performance(["pattern": "multi", "frequency": 3, "amplitude": 0.5]).pattern
                == .multi(frequency: 3, amplitude: 0.5))
        #expect(try Order(["pattern": "stop"]) == .stop)
        for name in Library.builtIn { #expect(try performance(["pattern": .string(name)]).name == name) }
        #expect(try performance(["pattern": "multi"]).pattern == .multi(frequency: 1, amplitude: 1))
        let played = try performance(["pattern": "heavy", "scale": 0.5, "repeat": 3, "delay_ms": 20])
        #expect(played.name == "heavy" && played.scale == 0.5 && played.passes == 3)
        #expect(played.delay == .milliseconds(20))
    }

    @Test("Patterns from files, inline events and inline AHAP are accepted")
    func others() throws {
        var library = Library()
        library.add("bell.ahap") { () throws(HapticsError) in try Samples.file(Samples.minimal) }
        #expect(try performance(["pattern": "bell"], library).name == "bell")
        let event: JSON.Value = [
            "time": 0, "kind": "continuous", "duration": 0.2, "intensity": 0.8, "sharpness": 0.3,
        ]
        #expect(
            try performance(["events": [event]]).pattern.events == [
                Event(time: 0, .continuous(duration: 0.2), intensity: 0.8, sharpness: 0.3)
            ])
        let value = try JSON.Value(parsing: Array(Samples.tolerant.utf8))
        #expect(try performance(["ahap": value]).hasSound)
        #expect(try performance(["ahap": value]).remarks.count == 9)
        #expect(
            try performance([
                "events": [
                    ["kind": "transient", "position": "left"], ["kind": "transient", "position": 12],
                ]
            ]).pattern.events.map(\.position) == [Position(degrees: 270), Position(degrees: 12)])
        let resolved = try Order.arguments(
            ["pattern": "bell", "at": "…"], resolving: library, delay: .milliseconds(40))
        #expect(try performance(resolved).name == "bell")
        #expect(try performance(resolved).delay == .milliseconds(40))
        #expect(resolved["at"] == nil)
        #expect(try !performance(resolved).isMixed)
        let mixed = try Order.arguments(["pattern": "bell"], resolving: library, delay: nil, isMixed: true)
        #expect(try performance(mixed).isMixed)
    }

    @Test(
        "An error contains the reason and the allowed values",
        arguments: [
            (
                ["pattern": "knok"],
                "pattern: no pattern knok; known: normal multi gradual heavy, and stop"
            ),
            (
                ["pattern": "heavy", "intensity": 1],
                "intensity: not a parameter of heavy, which takes none; scale changes its strength"
            ),
            ([:], "pattern: missing; give pattern, ahap or events"),
            (["ahap": ["Pattern": [1]]], "ahap.Pattern[0]: an object, got 1"),
            (["events": []], "events: at least one event"),
            (["events": [["kind": "continuous"]]], "events[0].duration: missing"),
            (["events": [["kind": "loud"]]], "events[0].kind: one of transient continuous, got \"loud\""),
            (
                ["events": [["kind": "transient", "position": "up"]]],
                "events[0].position: 0...359 degrees, or one of front right back left, got \"up\""
            ),
            (["events": [["kind": "transient", "position": 360]]], "events[0].position: 0...359, got 360"),
            (
                ["events": [["kind": "transient", "intensity": 2]]],
                "events[0].intensity: 0...1, got 2"
            ),
            (
                ["events": [["kind": "transient", "colour": 2]]],
                "events[0].colour: not known here; allowed: time kind duration intensity sharpness position"
            ),
        ] as [(JSON.Object, String)])
    func refused(arguments: JSON.Object, words: String) {
        let error = #expect(throws: HapticsError.self) { try Order(arguments) }
        #expect(error?.description == words)
    }

    @Test("A library reports the rejected files and the reasons")
    func library() {
        var library = Library()
        for name in ["knock.ahap", "knock.yaml", "heavy.ahap", "stop.yaml", "two words.ahap", ".ahap"] {
            library.add(name) { () throws(HapticsError) in try Samples.file(Samples.minimal) }
        }
        library.add("broken.ahap") { () throws(HapticsError) in try Samples.file("{}") }
        library.leaveOut("secret.ahap", reason: "Permission denied")
        #expect(library.names == ["normal", "multi", "gradual", "heavy", "knock"])
        #expect(
            library.problems.map(\.description) == [
                "knock.yaml: the name: another file already has this name",
                "heavy.ahap: the name: heavy is reserved",
                "stop.yaml: the name: stop is reserved",
                "two words.ahap: the name: 1...64 of A-Z a-z 0-9 _ -",
                ".ahap: the name: 1...64 of A-Z a-z 0-9 _ -",
                "broken.ahap: Pattern: missing", "secret.ahap: Permission denied",
            ])
    }
}

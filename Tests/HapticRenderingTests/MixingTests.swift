import DeviceCatalog
import DeviceKit
import JSON
import Testing
import VirtualDevices

@Suite("Two patterns on one device")
struct MixingTests {
    private func arguments(
        _ intensity: Double, _ duration: Double, _ others: JSON.Object = [:], mixed: Bool = true
    ) -> Arguments {
        var all: JSON.Object = [
            "events": [
                ["kind": "continuous", "duration": .number(duration), "intensity": .number(intensity)]
            ],
            "mixed": .bool(mixed),
        ]
        for member in others.members { all[member.key] = member.value }
        return Arguments(all)
    }

    private func belt(in mode: String) -> Worn {
        var choices = VirtualBelt.Choices()
        choices.waitSignalPeriod = nil
        var worn = Worn(BeltFamily(), .belt(choices))
        worn.command("mode", ["mode": .string(mode)])
        worn.run(.seconds(1))
        return worn
    }

    @Test("On the belt, patterns at two places are felt at the same time")
    func places() {
        var worn = belt(in: "app")
        worn.command("haptic", arguments(0.5, 1, ["direction": 0]))
        worn.run(.milliseconds(300))
        let second = worn.command("haptic", arguments(1, 0.3, ["direction": 180]))
        worn.run(.milliseconds(100))
        #expect(worn.motors == [0: 50, 8: 100])
        worn.run(.milliseconds(300))
        #expect(worn.motors == [0: 50], "the older pattern goes on")
        worn.run(.milliseconds(400))
        #expect(worn.motors == [:] && worn.reports["haptic"] == ["playing": nil])
        guard case .ok = worn.answers[second] else { return #expect(Bool(false), "answered") }
    }

    @Test("At one place, the stronger is felt", arguments: ["app", "wait"])
    func strongest(mode: String) {
        var worn = belt(in: mode)
        worn.command("haptic", arguments(0.5, 1))
        worn.run(.milliseconds(300))
        worn.command("haptic", arguments(0.2, 0.2))
        worn.run(.milliseconds(100))
        #expect(abs(worn.strength - 0.5) < 0.001)
        worn.command("haptic", arguments(0.9, 0.2))
        worn.run(.milliseconds(100))
        #expect(abs(worn.strength - 0.9) < 0.001)
        worn.run(.milliseconds(200))
        #expect(abs(worn.strength - 0.5) < 0.001)
        worn.command("haptic", ["pattern": "stop"])
        worn.run(.milliseconds(100))
        #expect(worn.strength == 0)
        worn.run(.seconds(1))
        #expect(worn.strength == 0, "a stop ends both")
    }

    @Test("Without mixing, a new pattern replaces the older one", arguments: ["app", "wait"])
    func replaced(mode: String) {
        var worn = belt(in: mode)
        worn.command("haptic", arguments(0.5, 1, ["direction": 0]))
        worn.run(.milliseconds(300))
        worn.command("haptic", arguments(0.2, 0.2, ["direction": 180], mixed: false))
        worn.run(.milliseconds(100))
        #expect(worn.motors == [8: 20])
        worn.run(.milliseconds(200))
        #expect(worn.motors == [:])
    }

    @Test("A pattern with two places is replaced by one with one place")
    func fewerPlaces() {
        var worn = belt(in: "app")
        let sides: JSON.Value = [
            ["kind": "continuous", "duration": 5, "position": "left"],
            ["kind": "continuous", "duration": 5, "position": "right"],
        ]
        worn.command("haptic", ["events": sides])
        worn.run(.milliseconds(300))
        #expect(worn.motors == [4: 100, 12: 100])
        worn.command("haptic", arguments(0.2, 0.2, ["direction": 180], mixed: false))
        worn.run(.milliseconds(100))
        #expect(worn.motors == [8: 20])
    }

    @Test("On a TAP, both are felt")
    func tap() {
        var worn = Worn(TapFamily(), .tap(.init()))
        let first = worn.command("haptic", arguments(1, 0.2, ["repeat": 1]))
        worn.run(.milliseconds(100))
        worn.command(
            "haptic",
            [
                "events": [["kind": "continuous", "time": 0.3, "duration": 0.2, "intensity": 1]],
                "mixed": true,
            ])
        worn.run(.milliseconds(50))
        #expect(worn.strength == 1, "the older pattern goes on")
        worn.run(.milliseconds(100))
        #expect(worn.strength == 0)
        worn.run(.milliseconds(150))
        #expect(worn.strength == 1)
        worn.run(.milliseconds(300))
        #expect(worn.strength == 0 && worn.reports["haptic"] == ["playing": nil])
        #expect(worn.answers[first] != nil)
    }
}

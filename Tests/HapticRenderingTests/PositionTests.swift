import DeviceCatalog
import DeviceKit
import JSON
import Testing
import VirtualDevices

@Suite("Where patterns are felt")
struct PositionTests {
    private static let sides: JSON.Value = [
        ["time": 0, "kind": "continuous", "duration": 0.5, "intensity": 0.5, "position": "left"],
        ["time": 0.25, "kind": "continuous", "duration": 0.5, "intensity": 1, "position": 90],
    ]

    private func belt(in mode: String) -> Worn {
        var choices = VirtualBelt.Choices()
        choices.waitSignalPeriod = nil
        var worn = Worn(BeltFamily(), .belt(choices))
        worn.command("mode", ["mode": .string(mode)])
        worn.run(.seconds(1))
        return worn
    }

    private func degraded(_ worn: Worn, _ id: UInt64) -> JSON.Value? {
        if case .ok(let members) = worn.answers[id] { members["degraded"] } else { nil }
    }

    @Test("In app mode, events at two places are felt at their motors at the same time")
    func together() {
        var worn = belt(in: "app")
        let id = worn.command("haptic", ["events": Self.sides])
        worn.run(.milliseconds(200))
        #expect(worn.motors == [12: 50])
        worn.run(.milliseconds(200))
        #expect(worn.motors == [12: 50, 4: 100])
        worn.run(.milliseconds(250))
        #expect(worn.motors == [4: 100])
        worn.run(.milliseconds(250))
        #expect(worn.motors == [:] && degraded(worn, id) == ["sharpness"])
    }

    @Test("The compass gives way to app mode, and both places are felt")
    func compass() {
        var worn = belt(in: "compass")
        let id = worn.command("haptic", ["events": Self.sides])
        worn.run(.milliseconds(400))
        #expect(worn.motors == [12: 50, 4: 100])
        worn.run(.seconds(1))
        #expect(worn.reports["mode"] == "compass" && degraded(worn, id) == ["sharpness"])
    }

    @Test("Outside app mode, the belt has one channel: the strongest is felt, which the answer reports")
    func oneChannel() {
        var worn = belt(in: "wait")
        let id = worn.command("haptic", ["events": Self.sides])
        worn.run(.milliseconds(200))
        #expect(worn.motors == [12: 50])
        worn.run(.milliseconds(200))
        #expect(worn.motors == [4: 100])
        #expect(degraded(worn, id) == ["sharpness", "position"])
    }

    @Test(
        "A vibration all around needs all motors that the belt can drive, so that another place is not felt")
    func motors() {
        var worn = belt(in: "app")
        let events: JSON.Value = [
            ["kind": "continuous", "duration": 1, "intensity": 0.3],
            ["time": 0.5, "kind": "continuous", "duration": 0.2, "intensity": 1, "position": "left"],
        ]
        let id = worn.command("haptic", ["events": events])
        worn.run(.milliseconds(300))
        #expect(worn.motors.keys.sorted() == [0, 3, 5, 8, 11, 13])
        worn.run(.milliseconds(300))
        #expect(worn.motors == [12: 100], "the strongest")
        #expect(degraded(worn, id) == ["sharpness", "position"])
    }

    @Test("Events at different places, one after another, need one channel")
    func circle() {
        var worn = belt(in: "wait")
        let events = (0..<4).map { index -> JSON.Value in
            [
                "time": .number(Double(index) / 5), "kind": "continuous", "duration": 0.2, "intensity": 1,
                "position": .integer(index * 90),
            ]
        }
        let id = worn.command("haptic", ["events": .array(events)])
        worn.run(.milliseconds(100))
        for index in 0..<4 {
            #expect(worn.motors == [index * 4: 100])
            worn.run(.milliseconds(200))
        }
        #expect(worn.motors == [:] && degraded(worn, id) == ["sharpness"])
    }

    @Test("A place in the command takes precedence, which the answer reports")
    func command() {
        var worn = belt(in: "app")
        let id = worn.command("haptic", ["events": Self.sides, "motor": 7])
        worn.run(.milliseconds(400))
        #expect(worn.motors == [7: 100] && degraded(worn, id) == ["sharpness", "position"])
    }

    @Test("A TAP has one place, which its answer reports")
    func tap() {
        var worn = Worn(TapFamily(), .tap(.init()))
        let id = worn.command("haptic", ["events": Self.sides])
        worn.run(.seconds(1))
        #expect(degraded(worn, id) == ["intensity", "sharpness", "position"])
    }
}

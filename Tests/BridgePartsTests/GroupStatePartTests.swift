import DeviceCatalog
import DeviceKit
import JSON
import Testing

@testable import BridgeParts

@Suite("The sum of a group")
struct GroupStatePartTests {
    @Test("Values of offline devices do not count, except for their emergency stop")
    func sum() {
        let state = GroupState([
            .init(isOnline: true, battery: 60, isPlaying: true),
            .init(isOnline: true, battery: 41.5),
            .init(isOnline: true),
            .init(isOnline: false, battery: 3, isPlaying: true, isStopped: true),
        ])
        #expect(
            state.value == [
                "members": 4, "online": 3, "lowest_battery": 41.5, "playing": 1, "stopped": 1,
            ])
        #expect(
            GroupState([]).value == [
                "members": 0, "online": 0, "lowest_battery": nil, "playing": 0, "stopped": 0,
            ])
    }

    @Test("Only the battery level and the start or end of a pattern change what a device adds to its groups")
    func values() throws {
        let features = FeatureTable(try #require(Registry.families.named("belt")))
        let (battery, field) = try #require(features.battery)
        let name = try #require(field)
        var values = GroupValues()
        func changes(_ feature: String, _ value: JSON.Value?) -> Bool {
            values.note(value, of: feature, in: features)
        }
        func level(_ percent: Int, isCharging: Bool) -> JSON.Value {
            .object([name: .integer(percent), "charging": .bool(isCharging)])
        }
        #expect(changes(battery, level(80, isCharging: true)) && values.battery == 80)
        #expect(!changes(battery, level(80, isCharging: false)))
        #expect(changes(battery, level(79, isCharging: false)) && values.battery == 79)
        #expect(!changes("heading", 79))
        #expect(changes("haptic", ["playing": "wave"]) && values.isPlaying)
        #expect(!changes("haptic", ["playing": "pulse"]))
        #expect(changes("haptic", ["playing": nil]) && !values.isPlaying)
        #expect(changes(battery, nil) && values == GroupValues())
    }

    @Test("A change within a second waits for its end")
    func pace() {
        var reports = GroupReports()
        #expect(reports.take(at: .zero) == nil)
        reports.changed()
        #expect(reports.take(at: .zero) == .publish)
        #expect(reports.publish(["all", "pair"], from: .zero, to: .zero) == [])
        reports.changed()
        #expect(reports.areChanged && reports.take(at: .milliseconds(300)) == .wait(until: .seconds(1)))
        #expect(reports.take(at: .seconds(1)) == .publish)
        #expect(!reports.areChanged && reports.take(at: .seconds(1)) == nil)
        #expect(reports.publish(["all"], from: .seconds(1), to: .seconds(1)) == ["pair"])
        #expect(reports.former == ["pair"] && reports.current == ["all"])
    }

    @Test("Publishing takes at most a tenth of the time, however many groups there are")
    func share() {
        var reports = GroupReports()
        reports.changed()
        #expect(reports.take(at: .zero) == .publish)
        _ = reports.publish(["all"], from: .zero, to: .milliseconds(400))
        reports.changed()
        #expect(reports.take(at: .seconds(3)) == .wait(until: .milliseconds(3900)))
        reports.endPause()
        #expect(reports.take(at: .seconds(3)) == .publish)
    }

    @Test("Groups of an earlier run stay until it is known which groups exist")
    func earlier() {
        var reports = GroupReports()
        reports.restore(["all", "pair", "gone"])
        #expect(reports.publish(["all"], from: .zero, to: .zero) == [])
        #expect(reports.current == ["all", "pair", "gone"] && reports.former == [])
        let (first, second) = (
            reports.dropEarlier(besides: ["all", "pair"]), reports.dropEarlier(besides: ["all", "pair"])
        )
        #expect(first && !second)
        #expect(reports.current == ["all", "pair"] && reports.former == ["gone"])
    }
}

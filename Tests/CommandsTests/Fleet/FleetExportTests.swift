import BridgeConfiguration
import BridgeContract
import JSON
import Testing

@testable import Commands

@Suite("The exported roster")
struct FleetExportTests {
    @Test("apply reads the exported file, and then changes nothing")
    func roundTrip() throws {
        var fleet = FleetExample.fleet
        for (topic, payload) in [
            (
                "roster/c0ffee00be03",
                FleetExample.entry(
                    "hall/left",
                    #""settings":{"intent_s":20},"preferred":["attic","hall"],"#
                        + #""appearance":{"display_name":"Left: \"é\" # 1","icon":"mdi:run"},"#)
            ),
            (
                "roster/groups",
                #"{"v":1,"groups":{"wearers":["belt","hall/left"],"on":["belt"]},"by":"x","#
                    + #""time":"2026-01-31T12:00:00.000Z"}"#
            ),
        ] {
            fleet.hear(topic, Array(payload.utf8))
        }
        #expect(fleet.refused == [:] && fleet.roster.count == 3)
        let text = fleet.exported.map { $0 + "\n" }.joined()
        let changes = FleetChanges(
            try FleetExample.file(text), on: fleet, prunes: true, at: FleetExample.time)
        #expect(changes.isEmpty, "\(changes.lines)\n\(text)")
        // The file contains everything: on an empty broker, it adds each entry.
        let all = FleetChanges(
            try FleetExample.file(text), on: FleetExample.snapshot([]), prunes: false, at: FleetExample.time)
        #expect(all.changes.count == 4 && all.changes.allSatisfy { $0.kind == .added })
    }

    @Test("An empty roster is an empty file, and a message that bridges refuse is a comment")
    func empty() throws {
        let fleet = FleetExample.snapshot([("roster/c0ffee00be01", "nonsense")])
        #expect(fleet.exported.suffix(2) == ["devices: {}", "groups: {}"])
        #expect(fleet.exported.first?.hasPrefix("# Not exported: roster/c0ffee00be01: ") == true)
        let text = fleet.exported.map { $0 + "\n" }.joined()
        #expect(try FleetExample.file(text).devices.isEmpty)
    }
}

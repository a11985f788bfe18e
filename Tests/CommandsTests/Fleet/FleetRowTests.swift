import BridgeContract
import JSON
import Testing

@testable import Commands

@Suite("The tables of a fleet")
struct FleetRowTests {
    @Test("ls shows each bridge with its state, and - for unknown values")
    func bridges() {
        let rows = FleetExample.fleet.bridgeRows
        #expect(
            rows.table == [
                "BRIDGE  STATE     VERSION  ZONE      ONLINE  SLOTS  HOST",
                "attic   online    0.2.0    upstairs  1 of 2  3      attic.example",
                "cellar  offline   0.1.0    -         0 of 1  -      -",
                "hall    draining  0.2.0    -         -       -      -",
            ])
        let line = rows.first.flatMap { try? JSON.Value(parsing: Array($0.line.utf8)) }
        #expect(line?["bridge"] == "attic" && line?["known"] == 2 && line?["fleet_protocol"] == 1)
    }

    @Test("devices shows the roster and other devices of bridges; an offline bridge is not a holder")
    func devices() {
        let rows = FleetExample.fleet.deviceRows
        #expect(
            rows.table == [
                "NAME        FAMILY  ADDRESS            BRIDGE  STATE      RSSI  REASON",
                "belt        belt    C0:FF:EE:00:BE:01  attic   connected  -60   -",
                "belt/be02   belt    C0:FF:EE:00:BE:02  cellar  offline    -     its bridge is offline",
                "tap/a1b2c3  tap     C0:FF:EE:A1:B2:C3  -       -          -     not on the roster",
            ])
        let line = rows.last.flatMap { try? JSON.Value(parsing: Array($0.line.utf8)) }
        #expect(line?["roster"] == false && line?["state"] == .null)
    }

    @Test("devices --groups adds the bridges up; a bridge that is offline does not count")
    func groups() {
        func state(_ members: Int, _ online: Int, battery: String = "null", stopped: Int = 0) -> String {
            #"{"members":\#(members),"online":\#(online),"lowest_battery":\#(battery),"playing":1,"#
                + #""stopped":\#(stopped)}"#
        }
        var fleet = FleetExample.fleet
        for (topic, payload) in [
            ("bridge/attic/groups/all", state(2, 1, battery: "41.5")),
            ("bridge/hall/groups/all", state(3, 3, battery: "60", stopped: 1)),
            ("bridge/cellar/groups/all", state(9, 9, battery: "1")),
            ("bridge/attic/groups/zone/upstairs", state(2, 1)),
            ("bridge/attic/groups/gone", state(2, 1)), ("bridge/attic/groups/gone", ""),
            ("bridge/attic/groups/bad", "[]"),
        ] {
            fleet.hear(topic, Array(payload.utf8))
        }
        #expect(
            fleet.groupRows.table == [
                "GROUP          ONLINE  BATTERY  PLAYING  STOPPED  BRIDGES",
                "all            4 of 5  41.5 %   2        1        attic hall",
                "zone/upstairs  1 of 2  -        1        0        attic",
            ])
        let line = fleet.groupRows.last.flatMap { try? JSON.Value(parsing: Array($0.line.utf8)) }
        #expect(line?["group"] == "zone/upstairs" && line?["lowest_battery"] == .null)
    }

    @Test("Names for an access list include every name of a device, and no wildcard")
    func names() {
        let groups = #"{"v":1,"groups":{"wearers":["belt"]},"by":"x","time":"2026-01-31T12:00:00.000Z"}"#
        var fleet = FleetExample.fleet
        for (topic, payload) in [
            ("roster/c0ffee00be03", FleetExample.entry("hall/left")),
            (
                "bridge/hall/devices",
                #"[{"name":"+/left","family":"belt","address":"C0:FF:EE:00:BE:04"},"#
                    + #"{"name":"porch","family":"belt","address":"C0:FF:EE:00:BE:03"}]"#
            ), ("roster/groups", groups), ("bridge/hall/groups", ##"[{"group":"taps"},{"group":"#"}]"##),
        ] {
            fleet.hear(topic, Array(payload.utf8))
        }
        #expect(fleet.namedDevices.map(\.name) == ["belt", "belt/be02", "hall/left", "porch", "tap/a1b2c3"])
        #expect(fleet.groupNames == ["taps", "wearers"])
    }

    @Test("Lines have at most 80 columns, and contain no invisible characters")
    func width() {
        let name = String(repeating: "n", count: 60)
        let fleet = FleetExample.snapshot([
            ("bridge/\(name)/availability", "online"),
            ("bridge/\(name)/info", #"{"host":"\#u{1B}[31mred","zone":"\#(name)"}"#),
            ("roster/c0ffee00be01", FleetExample.entry(name)),
        ])
        let whole = fleet.bridgeRows.table + fleet.deviceRows.table
        #expect(whole.fitted == whole, "into a pipe all is written")
        let lines = whole.fitted(columns: 80)
        #expect(lines.allSatisfy { $0.count <= 80 && !$0.contains("\u{1B}") }, "\(lines)")
    }

    @Test("A base topic precedes the topics; other topics are ignored")
    func baseTopic() {
        let fleet = FleetExample.snapshot(
            baseTopic: "site",
            [
                ("site/bridge/attic/availability", "online"), ("bridge/cellar/availability", "online"),
                ("site/roster/c0ffee00be01", FleetExample.entry("belt")),
            ])
        #expect(fleet.bridges.keys.sorted() == ["attic"] && fleet.roster.count == 1)
        #expect(fleet.connectionFilters == ["site/belt/connection"])
        #expect(fleet.filters.allSatisfy { $0.hasPrefix("site/") })
    }
}

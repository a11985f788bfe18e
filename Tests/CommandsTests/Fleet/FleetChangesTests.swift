import BridgeConfiguration
import BridgeContract
import JSON
import Messages
import Testing

@testable import Commands

@Suite("The changes of a fleet file")
struct FleetChangesTests {
    private func changes(_ text: String, prunes: Bool = false) throws -> FleetChanges {
        FleetChanges(
            try FleetExample.file(text), on: FleetExample.fleet, prunes: prunes, at: FleetExample.time)
    }

    private static let belt = "  belt: { family: belt, address: \"C0:FF:EE:00:BE:01\" }\n"

    @Test("Unchanged entries are not written; new, changed and removed entries are reported and written")
    func changes() throws {
        #expect(try changes("devices:\n" + Self.belt).isEmpty)
        let text = """
            devices:
              hall: { family: belt, address: "C0:FF:EE:00:BE:01", area: Hall, preferred: [attic] }
              belt/new: { family: belt, address: "C0:FF:EE:00:BE:03" }
            groups:
              wearers: [hall, belt/new]
            """
        let some = try changes(text)
        #expect(
            some.lines == [
                "changed  hall  C0:FF:EE:00:BE:01  belt", "  name: \"belt\" -> \"hall\"",
                "  preferred: [] -> [\"attic\"]", "  appearance: nothing -> {\"area\":\"Hall\"}",
                "added  belt/new  C0:FF:EE:00:BE:03  belt", "added  groups", "  wearers: hall belt/new",
            ], "\(some.lines)")
        #expect(some.kept == 1)
        let all = try changes(text, prunes: true)
        #expect(all.lines.contains("removed  belt/be02  C0:FF:EE:00:BE:02  belt") && all.kept == 0)
        #expect(
            all.messages.map(\.topic) == [
                "roster/c0ffee00be01", "roster/c0ffee00be03", "roster/c0ffee00be02", "roster/groups",
            ])
        #expect(all.messages[2].payload == [] && all.messages.allSatisfy { $0.policy == .state })
    }

    @Test("Bridges can read what is written, and then nothing is left to change")
    func settles() throws {
        let text = """
            devices:
              hall: { family: belt, address: "C0:FF:EE:00:BE:01", icon: mdi:run, preferred: [attic] }
            groups: { wearers: [hall] }
            """
        var fleet = FleetExample.fleet
        let file = try FleetExample.file(text)
        for message in FleetChanges(file, on: fleet, prunes: true, at: FleetExample.time).messages {
            fleet.hear(message.topic, message.payload)
        }
        #expect(fleet.refused.isEmpty && fleet.roster.count == 1)
        #expect(FleetChanges(file, on: fleet, prunes: true, at: FleetExample.time).isEmpty)
    }

    @Test(
        "Errors of a file have line, key, the value found and the values allowed",
        arguments: [
            (
                "devices:\n  belt: { family: bolt, address: \"C0:FF:EE:00:BE:01\" }\n", ":2:",
                "devices.belt.family"
            ),
            (
                "devices:\n  belt: { family: belt, address: here }\n", ":2:",
                "devices.belt.address: found here"
            ),
            ("devices:\n" + belt + "mqtt: { host: x }\n", ":3:", "mqtt: not known here"),
            ("devices:\n" + belt + "groups: { g: [nobody] }\n", ":3:", "groups.g[0]: found nobody"),
            (
                "devices:\n  roster/x: { family: belt, address: \"C0:FF:EE:00:BE:01\" }\n", ":2:",
                "roster is reserved"
            ),
            (
                "devices:\n  belt: { family: belt, address: \"C0:FF:EE:00:BE:01\", preferred: [all] }\n",
                ":2:",
                "devices.belt.preferred"
            ),
            (
                "devices:\n  tank: { family: robot, address: \"C0:FF:EE:00:BE:01\", power_on_connect: true }\n",
                ":2:", "devices.tank.power_on_connect: not accepted for a device that can hurt"
            ), ("- 1\n", "", "allowed: a mapping with devices and groups"), ("a: [\n", "", "fleet.yaml:"),
        ])
    func wrong(_ text: String, _ place: String, _ reason: String) {
        do {
            _ = try FleetExample.file(text)
            Issue.record("it was taken")
        } catch {
            let message = "\(error)"
            #expect(message.contains("fleet.yaml\(place)") && message.contains(reason), "\(message)")
        }
    }
}

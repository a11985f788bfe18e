import Testing

@testable import Commands

@Suite("Contradictions in a fleet")
struct FleetCheckTests {
    private func findings(_ messages: [(String, String)], _ file: String? = nil) throws -> [String] {
        FleetCheck(
            FleetExample.snapshot(messages), against: try file.map(FleetExample.file), at: FleetExample.time
        ).findings
    }

    private static let good = [
        ("bridge/attic/availability", "online"),
        ("bridge/attic/info", #"{"version":"0.2.0","fleet_protocol":1}"#),
        ("bridge/attic/devices", #"[{"name":"belt","family":"belt","address":"C0:FF:EE:00:BE:01"}]"#),
        ("roster/c0ffee00be01", FleetExample.entry("belt")),
    ]
    private static let file = "devices:\n  belt: { family: belt, address: \"C0:FF:EE:00:BE:01\" }\n"

    @Test("A consistent fleet has no findings")
    func good() throws {
        #expect(try findings(Self.good) == [])
        #expect(try findings(Self.good, Self.file) == [])
    }

    @Test(
        "Each contradiction is found",
        arguments: [
            ("bridge/attic/availability", "offline", "bridge attic: offline"),
            ("bridge/attic/info", #"{"version":"0.1.0"}"#, "version 0.1.0 has no roster"),
            ("bridge/attic/info", #"{"fleet_protocol":1,"draining":true}"#, "bridge attic: draining"),
            ("roster/c0ffee00be02", FleetExample.entry("belt"), "belt: the name of several devices"),
            ("roster/c0ffee00be01", FleetExample.entry("hall"), "hall: bridge attic names it belt"),
            ("roster/c0ffee00be01", #"{"v":1}"#, "every bridge refuses it: name: missing"),
            (
                "roster/c0ffee00be01", FleetExample.entry("belt", #""preferred":["cellar"],"#),
                "no bridge cellar"
            ),
            (
                "roster/groups", #"{"v":1,"groups":{"g":["x"]},"by":"a","time":"2026-01-31T12:00:00Z"}"#,
                "group g: x is not on the roster"
            ),
        ])
    func found(_ topic: String, _ payload: String, _ finding: String) throws {
        let findings = try findings(Self.good + [(topic, payload)])
        #expect(findings.contains { $0.contains(finding) }, "\(findings)")
    }

    @Test("A file is compared in both directions")
    func file() throws {
        let other =
            "devices:\n  hall: { family: belt, address: \"C0:FF:EE:00:BE:01\" }\n"
            + "  more: { family: belt, address: \"C0:FF:EE:00:BE:03\" }\n"
        let findings = try findings(
            Self.good + [("roster/c0ffee00be02", FleetExample.entry("belt/be02"))], other)
        #expect(findings.contains("hall  C0:FF:EE:00:BE:01  belt: the roster differs from the file"))
        #expect(findings.contains("more  C0:FF:EE:00:BE:03  belt: in the file, not on the roster"))
        #expect(findings.contains("belt/be02  C0:FF:EE:00:BE:02  belt: on the roster, not in the file"))
    }
}

import Bluetooth
import HostServices
import Testing

@testable import Commands

@Suite("Letting a list of devices join a fleet")
struct FleetJoinTests {
    private static let belt: Address = "C0:FF:EE:00:BE:01"
    private static let tap: Address = "C0:FF:EE:A1:B2:C3"
    private static let new: Address = "C0:FF:EE:00:00:99"

    @Test(
        "Devices of the fleet are known; the others join through the bridges that are online and not draining"
    )
    func plan() throws {
        let join = try FleetJoin(
            [Self.new, Self.tap, Self.belt, Self.new], through: [], of: FleetExample.fleet)
        #expect(join.known.map(\.address) == [Self.belt] && join.known.map(\.name) == ["belt"])
        #expect(join.wanted == [Self.new, Self.tap])
        #expect(join.bridges == ["attic"])
        #expect(try FleetJoin([Self.new], through: ["attic"], of: FleetExample.fleet).bridges == ["attic"])
    }

    @Test("A bridge that cannot let devices join is an error that lists those that can")
    func unavailable() throws {
        for bridge in ["hall", "cellar", "none"] {
            let failure = #expect(throws: CommandFailure.self) {
                try FleetJoin([Self.new], through: [bridge], of: FleetExample.fleet)
            }
            #expect(
                failure?.description
                    == "found the bridge \(bridge), which is not online or is draining; allowed: attic")
            #expect(failure?.status == .problem)
        }
        let empty = #expect(throws: CommandFailure.self) {
            try FleetJoin([Self.new], through: [], of: FleetExample.snapshot([]))
        }
        #expect(empty?.status == .unavailable)
        let roster = FleetExample.snapshot([("roster/c0ffee00be01", FleetExample.entry("belt"))])
        #expect(try FleetJoin([Self.belt], through: [], of: roster).wanted == [])
    }

    @Test("A list has one address per line and comments; an error names the line")
    func list() throws {
        let text = "# taps\r\n\(Self.tap)  # left\n\n  \(Self.new)\n"
        #expect(try FleetJoin.addresses(in: text, of: "taps.txt") == [Self.tap, Self.new])
        #expect(try FleetJoin.addresses(in: "", of: "taps.txt") == [])
        for line in ["\(Self.tap) left", "nonsense"] {
            let failure = #expect(throws: CommandFailure.self) {
                try FleetJoin.addresses(in: "\(Self.tap)\n\(line)\n", of: "taps.txt")
            }
            #expect(
                failure?.description
                    == "taps.txt:2: found \(line); allowed: one address per line, such as C0:FF:EE:00:BE:01")
        }
    }
}

import BridgeTesting
import Foundation
import Testing

@testable import Guardian

@Suite("The systemd unit and the wills")
struct UnitFileTests {
    private static func setting(_ name: String) throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "deploy/systemd/tactile-bridge.service")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("\(name)=") }, "\(name)")
        return String(line.dropFirst(name.count + 1))
    }

    @Test("The unit creates the folder for the wills")
    func folder() throws {
        #expect(try Self.setting("RuntimeDirectory") == "tactile-bridge")
    }

    @Test("The unit's time limits suffice for the guardian, and for a bridge that finishes earlier work")
    func times() throws {
        let stop = try #require(Int(Self.setting("TimeoutStopSec")))
        #expect(GuardianOptions.timeUnderSystemd + .seconds(2) < .seconds(stop))
        let start = try #require(Int(Self.setting("TimeoutStartSec")))
        #expect(ProcessGuardian.longestTakeOver < .seconds(start))
        #expect(try Self.setting("KillMode") == "control-group", "mixed kills the guardian with the bridge")
    }
}

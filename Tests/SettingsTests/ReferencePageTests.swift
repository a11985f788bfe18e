import DeviceCatalog
import DeviceKit
import Foundation
import MetricsEndpoint
import Testing

@testable import BridgeConfiguration
@testable import HostServices
@testable import Reference

@Suite("The pages of docs/reference")
struct ReferencePageTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/reference")

    @Test("A page contains the program's output between its marks", arguments: ReferencePage.allCases)
    func page(_ page: ReferencePage) throws {
        let text = try String(
            contentsOf: Self.folder.appending(path: "\(page.rawValue).md"), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let begin = try #require(lines.firstIndex(of: "<!-- generated: begin -->"))
        let end = try #require(lines.firstIndex(of: "<!-- generated: end -->"))
        let written = Array(lines[(begin + 1)..<end])
        let source = DeviceFileSource(
            shipped: Self.folder.appending(path: "../../config/devices").path,
            reading: DeviceFileSource.standard(builtIn: Registry.families).reading)
        #expect(source.shippedFamilies.count > 5)
        let declared = page.markdown(Registry.families, shipped: source.shippedFamilies)
            .split(separator: "\n", omittingEmptySubsequences: false)
        for line in declared where !written.contains(line) { Issue.record("not in the page: \(line)") }
        #expect(written == declared, "run deploy/reference")
    }

    @Test("The configuration page has each setting once, the families' sections, and marks for restarts")
    func configuration() throws {
        let families: [any DeviceFamily] = [LampFamily()]
        let lines = ConfigurationReference(families).markdown.split(separator: "\n")
        for setting in Setting.all(families) {
            let rows = lines.filter { $0.hasPrefix("| `\(setting.path)` |") }
            try #require(rows.count == 1, "\(setting.path)")
            #expect(rows[0].contains("after a restart") == setting.needsRestart, "\(setting.path)")
            #expect(rows[0].contains("Never in the configuration") == (setting.secrecy == .secret))
            #expect(rows[0].replacing("\\|", with: "").count { $0 == "|" } == 6)
        }
    }

    @Test("The metrics page has each metric with its type, and the values of labels with a fixed set")
    func metrics() {
        let reference = MetricsReference()
        let names = reference.sections.flatMap(\.families).map(\.name)
        #expect(Set(names).count == names.count && names.count > 25)
        let lines = Set(reference.markdown.split(separator: "\n").map(String.init))
        #expect(
            lines.contains(
                "| `tactile_bridge_device_writes_total` | counter | `device`, `family`, `result` (`ok` `failed`) | "
                    + "Writes to the device. |"))
        #expect(
            lines.contains {
                $0.hasPrefix("| `tactile_bridge_command_seconds` | histogram | `family`, `le` |")
            })
    }

    @Test(
        "Each code, reason and exit code has a sentence, and a reason's error has its documented code"
    )
    func errors() {
        let lines = ErrorReference().markdown.split(separator: "\n")
        for code in CommandError.Code.allCases {
            #expect(lines.count { $0.hasPrefix("| `\(code.rawValue)` | \(code.meaning.prefix(10))") } == 1)
            #expect(code.meaning.hasSuffix(".") && code.remedy.hasSuffix("."), "\(code)")
        }
        for reason in CommandError.Reason.allCases {
            #expect(CommandError(reason, "x").code == reason.code)
            #expect(
                lines.count { $0.hasPrefix("| `\(reason.rawValue)` | `\(reason.code.rawValue)` | ") } == 1)
            #expect(reason.meaning.hasSuffix("."), "\(reason)")
        }
        for stop in MotionStop.allCases { #expect(CommandError.Reason.stop(stop).rawValue == stop.rawValue) }
        for status in ExitStatus.allCases {
            #expect(lines.count { $0.hasPrefix("| \(status.rawValue) | \(status.meaning) |") } == 1)
        }
    }
}

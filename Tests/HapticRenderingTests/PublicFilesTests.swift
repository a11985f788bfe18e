import DeviceKit
import Glibc
import Haptics
import HostServices
import JSON
import Testing

@testable import BridgeConfiguration

/// Reads the pattern files of a folder, named by `TACTILE_PATTERN_FILES`, and prints a table about them. The name of a
/// file is its repository and path, joined by `+`: `owner+name+path+file.ahap`.
@Suite("Pattern files of other projects")
struct PublicFilesTests {
    private static let folder = getenv("TACTILE_PATTERN_FILES").map { String(cString: $0) }

    @Test("Every file is read, and its losses are listed", .enabled(if: folder != nil))
    func table() throws {
        let folder = try #require(Self.folder)
        let names = try FolderListing(folder, endings: [".ahap", ".haptic"]).names
        #expect(!names.isEmpty)
        for name in names {
            let file: AHAPFile
            do {
                file = try PatternFolder.read(name, try Array(FileAccess.read("\(folder)/\(name)")))
            } catch {
                print("| \(Self.source(name)) | | rejected: \(error) | | | |")
                continue
            }
            let arguments = Arguments(["ahap": AHAPFile.value(of: file.pattern)])
            let losses = try Device.all.map { device in
                let preview = try #require(try device.family.preview(haptic: arguments))
                return preview.degraded.isEmpty
                    ? "everything" : "not \(preview.degraded.joined(separator: ", "))"
            }
            let remarks = file.remarks.count == 1 ? "1 remark" : "\(file.remarks.count) remarks"
            print(
                "| \(Self.source(name)) | \(file.pattern.events.count) | "
                    + (file.remarks.isEmpty ? "read" : "read, \(remarks)") + " | "
                    + losses.joined(separator: " | ") + " |")
        }
    }

    /// `owner+name+path.ahap` as the repository and the file.
    private static func source(_ name: String) -> String {
        let parts = name.split(separator: "+")
        guard parts.count > 2 else { return "`\(name)`" }
        return "\(parts[0])/\(parts[1]) | `\(parts[2...].joined(separator: "/"))`"
    }
}

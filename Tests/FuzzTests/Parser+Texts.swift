import BridgeTesting
import DeviceCatalog
import Haptics
import JSON

@testable import BridgeConfiguration

/// The contents of files.
extension Parser {
    static let texts = [
        Parser(name: "ahap") { bytes in try read("fuzzed.ahap", bytes) },
        Parser(name: "pattern") { bytes in try read("fuzzed.yaml", bytes) },
        Parser(name: "configuration") { bytes in
            let file = try TemporaryFile(bytes)
            let loader = SettingsLoader(
                file: file.path, families: Registry.families, host: Host(environment: [:], name: "host"))
            do throws(SettingsError) {
                _ = try loader.load()
                return []
            } catch {
                return error.problems.isEmpty ? ["refused without a word"] : []
            }
        },
    ]

    private static func read(_ name: String, _ bytes: [UInt8]) throws -> [String] {
        let pattern: Pattern
        do throws(HapticsError) {
            pattern = try PatternFolder.read(name, bytes).pattern
        } catch {
            return error.path.isEmpty || error.reason.isEmpty ? ["refused without a place: \(error)"] : []
        }
        let again = try AHAPFile(AHAPFile.value(of: pattern)).pattern
        return (again == pattern ? [] : ["comes back as something else"]) + broken(Timeline(pattern))
    }
}

import BridgeTesting
import DeviceFiles
import DeviceKit
import Foundation

/// Device files, and device data for the files that are included with the bridge.
extension Parser {
    static let deviceFiles = [
        Parser(name: "device_file") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            do throws(DeviceFileError) {
                let file = try DeviceFile.read(text, file: "fuzzed.yaml").file
                _ = ExampleRun(file)
                return DeviceFamilyContract(FileFamily(file)).brokenBehaviour(
                    seed: UInt64(bytes.count), steps: 40)
            } catch {
                let places = error.problems.map(\.description)
                return places.isEmpty || !places.allSatisfy { $0.hasPrefix("fuzzed.yaml:") }
                    ? ["refused without a place: \(places)"] : []
            }
        },
        // The first byte selects the file, the other bytes select the events.
        Parser(name: "device_session") { bytes in
            let families = try shippedFamilies.get()
            guard let first = bytes.first else { return [] }
            return DeviceFamilyContract(families[Int(first) % families.count])
                .brokenBehaviour(Array(bytes.dropFirst()))
        },
    ]

    private static let shippedFamilies = Result {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../config/devices")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".yaml") }.sorted().map { name in
                let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
                return FileFamily(try DeviceFile.read(text, file: name).file)
            }
    }
}

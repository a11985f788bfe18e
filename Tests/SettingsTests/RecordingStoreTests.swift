import BridgeContract
import DeviceKit
import Foundation
import HostServices
import Testing

@testable import StateFiles

@Suite("The files of recordings")
struct RecordingStoreTests {
    private func names(_ scope: ConfigurationScope) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(scope.folder)/recordings").sorted()
    }

    @Test("A recording is private; three earlier ones are kept, and no name is used twice")
    func files() async throws {
        try await ConfigurationScope.with { scope in
            let store = FileRecordingStore(folder: scope.folder, files: FileThread.loop)
            let date = TimeStamp(milliseconds: 1_769_860_800_000)
            for number in 0..<6 {
                let date = TimeStamp(milliseconds: date.milliseconds + Int64(number / 2) * 1000)
                let file = try await store.begin(at: date)
                try await file.append(Array("\(number)\n".utf8))
                try await file.append(Array("more\n".utf8))
                await file.close()
                #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "\(number)\nmore\n")
                let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
                #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            }
            let names = try names(scope)
            #expect(names.count == 4)
            #expect(names.last == "2026-01-31T12-00-02.000Z.jsonl")
        }
    }

    @Test("A folder that cannot be created is reported with the system's reason")
    func refused() async throws {
        try await ConfigurationScope.with { scope in
            try Data().write(to: URL(filePath: "\(scope.folder)/file"))
            let store = FileRecordingStore(folder: "\(scope.folder)/file", files: FileThread.loop)
            let error = await #expect(throws: RecordingFailure.self) {
                try await store.begin(at: TimeStamp(milliseconds: 0))
            }
            #expect(error?.description.contains("Not a directory") == true)
        }
    }

    @Test("A disk counts as full if a recording would leave no space for the state")
    func reserve() async throws {
        try await ConfigurationScope.with { scope in
            let path = "\(scope.folder)/recording"
            let refusal = try AppendedFile(path, reserve: .max / 2).refusal(of: [1])
            #expect(refusal == "No space left on device")
            #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
        }
    }
}

extension AppendedFile {
    /// Returns why bytes cannot be appended; nil if they were.
    fileprivate func refusal(of bytes: [UInt8]) -> String? {
        do throws(FileAccess.Failure) {
            try append(bytes)
            return nil
        } catch {
            return error.reason
        }
    }
}

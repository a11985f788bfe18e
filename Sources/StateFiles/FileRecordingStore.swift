package import BridgeContract
package import DeviceKit
package import EventLoop
package import HostServices

/// Keeps recordings in the subfolder `recordings` of the state's folder. The name of each file is the time at which the
/// recording starts.
///
/// The store has its own thread, because a disk may need seconds.
package actor FileRecordingStore: RecordingStore {
    package nonisolated var unownedExecutor: UnownedSerialExecutor { files.asUnownedSerialExecutor() }

    /// The number of earlier recordings that are kept when a recording starts.
    static let kept = 3
    private static let ending = ".jsonl"

    private let folder: String
    private nonisolated let files: EventLoop

    /// - Parameters:
    ///   - folder: The folder of the bridge's state.
    ///   - files: The thread that waits for the disk.
    package init(folder: String, files: EventLoop) {
        self.folder = "\(folder)/recordings"
        self.files = files
    }

    package func begin(at date: TimeStamp) async throws(RecordingFailure) -> any RecordingFile {
        do throws(FileAccess.Failure) {
            try FileAccess.makeFolder(folder)
            try removeOld()
            return FileRecording(try AppendedFile(unusedPath(date)), files: files)
        } catch {
            throw RecordingFailure("\(error)")
        }
    }

    /// Removes the oldest recordings. Each name is a time, so the alphabetical order of the names is the order of the
    /// recordings.
    private func removeOld() throws(FileAccess.Failure) {
        let old = try FileAccess.names(in: folder).filter { $0.hasSuffix(Self.ending) }.sorted()
        for name in old.dropLast(Self.kept) { try FileAccess.remove("\(folder)/\(name)") }
    }

    private func unusedPath(_ date: TimeStamp) -> String {
        // A colon in a file name has a special meaning for scp and make.
        let name = "\(folder)/\(date.description.replacing(":", with: "-"))"
        var path = name + Self.ending
        var number = 2
        while FileAccess.isThere(path) {
            path = "\(name)-\(number)\(Self.ending)"
            number += 1
        }
        return path
    }
}

/// The file of a recording, written on its own thread.
package actor FileRecording: RecordingFile {
    package nonisolated var unownedExecutor: UnownedSerialExecutor { files.asUnownedSerialExecutor() }

    package nonisolated let path: String
    private nonisolated let files: EventLoop
    private var file: AppendedFile?

    /// - Parameters:
    ///   - file: An empty file.
    ///   - files: The thread that waits for the disk.
    package init(_ file: sending AppendedFile, files: EventLoop) {
        path = file.path
        self.file = file
        self.files = files
    }

    package func append(_ bytes: [UInt8]) async throws(RecordingFailure) {
        do throws(FileAccess.Failure) { try file?.append(bytes) } catch {
            throw RecordingFailure("\(error)")
        }
    }

    package func close() async { file = nil }
}

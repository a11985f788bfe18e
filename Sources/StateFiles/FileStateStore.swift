package import BridgeContract
package import EventLoop
package import HostServices
package import Logging

/// Keeps the bridge's state in the file `state.json`, with the previous state next to it as `state.json.before`.
///
/// An unreadable state is set aside as `state.json.damaged` with the reason in `state.json.damaged.reason`. Then the
/// previous state is used, so that at most the last change is lost.
///
/// It has its own thread, since a disk may take seconds for a change.
package actor FileStateStore: StateStore {
    package nonisolated var unownedExecutor: UnownedSerialExecutor { files.asUnownedSerialExecutor() }

    private let folder: String
    private nonisolated let files: EventLoop
    private let disk: Disk
    private let logger: Logger
    private var lastFailure: String?

    private var path: String { "\(folder)/state.json" }
    private var before: String { "\(path).before" }
    private var damaged: String { "\(path).damaged" }

    /// - Parameters:
    ///   - folder: The folder of the file; created at the first save.
    ///   - files: The thread that waits for the disk.
    package init(folder: String, files: EventLoop, disk: Disk = Disk(), logger: Logger) {
        self.folder = folder
        self.files = files
        self.disk = disk
        self.logger = logger
    }

    package func load() async -> BridgeState {
        if let state = read(path) { return state }
        return read(before) ?? BridgeState()
    }

    @discardableResult
    package func save(_ state: BridgeState) async -> Bool {
        do throws(FileAccess.Failure) {
            try FileAccess.makeFolder(folder)
            // After a power failure between these steps there is no state.json; load() then reads its predecessor.
            try FileAccess.moveIfThere(path, to: before, disk: disk)
            try FileAccess.replace(path, with: StateDocument.bytes(state), disk: disk)
            if lastFailure != nil { logger.notice("the state is stored again") }
            lastFailure = nil
            return true
        } catch {
            // Logged once: the bridge continues without saving, and a full disk stays full for a while.
            guard lastFailure != error.description else { return false }
            lastFailure = error.description
            logger.error(
                "the state cannot be stored; a restart would undo changes of names and joined devices",
                metadata: ["reason": "\(error)"])
            return false
        }
    }

    /// Reads a file, and sets it aside if it is damaged; returns nil if there is none.
    private func read(_ path: String) -> BridgeState? {
        let bytes: [UInt8]
        do { bytes = try FileAccess.read(path) } catch {
            if !error.isMissing {
                logger.error("the state cannot be read", metadata: ["reason": "\(error)"])
            }
            return nil
        }
        do { return try StateDocument.state(bytes) } catch {
            setAside(path, reason: error.description)
            return nil
        }
    }

    private func setAside(_ path: String, reason: String) {
        let metadata: Logger.Metadata = ["file": "\(path)", "kept_as": "\(damaged)", "reason": "\(reason)"]
        do {
            try FileAccess.replace("\(damaged).reason", with: Array("\(path): \(reason)\n".utf8))
            try FileAccess.move(path, to: damaged)
            logger.warning("a damaged state file was set aside", metadata: metadata)
        } catch {
            logger.error(
                "a damaged state file is ignored", metadata: metadata.merging(["reason": "\(error)"]) { $1 })
        }
    }
}

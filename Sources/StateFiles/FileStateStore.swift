package import BridgeContract
package import EventLoop
package import HostServices
package import Logging

/// Keeps the bridge's state in the file `state.json`, with the previous state next to it as `state.json.before`.
///
/// If the state is damaged, the file is renamed to `state.json.damaged`, and the reason is stored in
/// `state.json.damaged.reason`. The previous state is used instead, so that at most the last change is lost.
///
/// The store has its own thread, because a disk may need seconds for a change.
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
            // If the power fails between these two steps, there is no state.json. `load()` then reads the previous
            // state.
            try FileAccess.moveIfThere(path, to: before, disk: disk)
            try FileAccess.replace(path, with: StateDocument.bytes(state), disk: disk)
            if lastFailure != nil { logger.notice("the bridge can store its state again") }
            lastFailure = nil
            return true
        } catch {
            // Each failure is logged once: the bridge continues without saving, and a full disk stays full for a while.
            guard lastFailure != error.description else { return false }
            lastFailure = error.description
            logger.error(
                "the state cannot be stored; a restart would undo changes of names and joined devices",
                metadata: ["reason": "\(error)"])
            return false
        }
    }

    /// Reads a state file. Returns nil if the file is missing, unreadable or damaged. A damaged file is renamed.
    private func read(_ path: String) -> BridgeState? {
        let bytes: [UInt8]
        do { bytes = try FileAccess.read(path) } catch {
            if !error.isMissing {
                logger.error(
                    "a state file cannot be read; the bridge uses the previous state, or none",
                    metadata: ["reason": "\(error)"])
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
            logger.warning(
                "a damaged state file was renamed; the bridge uses the previous state, or none",
                metadata: metadata)
        } catch {
            logger.error(
                "a damaged state file is ignored", metadata: metadata.merging(["reason": "\(error)"]) { $1 })
        }
    }
}

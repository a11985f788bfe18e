package import Bluetooth
package import BridgeContract
package import DeviceKit
package import EventLoop
package import HostServices

/// Keeps emergency stops, in one file for each device.
///
/// The store has its own thread, because an emergency stop must not wait for the bridge's state file.
package actor FileLatchStore: LatchStore {
    package nonisolated var unownedExecutor: UnownedSerialExecutor { files.asUnownedSerialExecutor() }

    private typealias Done = CheckedContinuation<String?, Never>

    private nonisolated let files: EventLoop
    private let folder: LatchFolder
    /// The changes of emergency stops that wait for the disk. All of them are written before the files in `missing` are
    /// created.
    private var changes: [(latch: Latch, address: Address, done: Done)] = []
    private var missing: [(latch: Latch, address: Address, done: Done)] = []
    private var isWorking = false

    /// - Parameters:
    ///   - folder: The folder of the bridge's state.
    ///   - files: The thread that waits for the disk.
    package init(folder: String, files: EventLoop, disk: Disk = Disk()) {
        self.folder = LatchFolder(path: "\(folder)/\(LatchFile.folder)", disk: disk)
        self.files = files
    }

    package func load() async -> KeptLatches {
        do throws(FileAccess.Failure) {
            return .known(try folder.read())
        } catch {
            return .unreadable(error.description)
        }
    }

    package func keep(_ latch: Latch, of address: Address) async -> String? {
        await withCheckedContinuation { done in
            changes.append((latch, address, done))
            workSoon()
        }
    }

    package func make(_ latch: Latch, of address: Address) async -> String? {
        await withCheckedContinuation { done in
            missing.append((latch, address, done))
            workSoon()
        }
    }

    /// Schedules the work after all calls that are already queued, so that changes are written before missing files are
    /// created.
    private func workSoon() {
        guard !isWorking else { return }
        isWorking = true
        files.execute { self.assumeIsolated { $0.work() } }
    }

    private func work() {
        isWorking = false
        let due = changes
        changes = []
        // Writes all emergency stops first, without waiting for the disk. If the process dies while the disk is slow,
        // none of them is lost.
        for change in due where change.latch == .latched { folder.mark(change.address) }
        for (latch, address, done) in due {
            done.resume(
                returning: Self.reason { () throws(FileAccess.Failure) in
                    try folder.write(latch, of: address)
                })
        }
        if due.isEmpty, !missing.isEmpty {
            let (latch, address, done) = missing.removeFirst()
            done.resume(
                returning: Self.reason { () throws(FileAccess.Failure) in
                    try folder.make(latch, of: address)
                })
        }
        if !changes.isEmpty || !missing.isEmpty { workSoon() }
    }

    private static func reason(_ write: () throws(FileAccess.Failure) -> Void) -> String? {
        do throws(FileAccess.Failure) { try write() } catch { return error.description }
        return nil
    }
}

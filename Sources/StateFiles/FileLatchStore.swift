package import Bluetooth
package import BridgeContract
package import DeviceKit
package import EventLoop
package import HostServices

/// Keeps emergency stops, one file a device.
///
/// It has a thread of its own: an emergency stop must not wait for the state file either.
package actor FileLatchStore: LatchStore {
    package nonisolated var unownedExecutor: UnownedSerialExecutor { files.asUnownedSerialExecutor() }

    private typealias Done = CheckedContinuation<String?, Never>

    private nonisolated let files: EventLoop
    private let folder: LatchFolder
    /// What waits for the disk: changes go before files that are only made.
    private var changes: [(latch: Latch, address: Address, done: Done)] = []
    private var missing: [(latch: Latch, address: Address, done: Done)] = []
    private var isWorking = false

    /// - Parameters:
    ///   - folder: The folder of the state.
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

    /// Works behind all that was handed over already, so that a change finds its place before files that are made.
    private func workSoon() {
        guard !isWorking else { return }
        isWorking = true
        files.execute { self.assumeIsolated { $0.work() } }
    }

    private func work() {
        isWorking = false
        let due = changes
        changes = []
        // The death of the process loses none of them then, however long the disk takes for the first.
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

    private static func reason(_ deed: () throws(FileAccess.Failure) -> Void) -> String? {
        do throws(FileAccess.Failure) { try deed() } catch { return error.description }
        return nil
    }
}

import Bluetooth
import BridgeContract
import DeviceKit
import EventLoop
import Foundation
import Glibc
import Logging
import Synchronization
import Testing

@testable import HostServices
@testable import StateFiles

@Suite("The bridge's thread never waits for a disk", .timeLimit(.minutes(1)))
struct FileThreadTests {
    private static let address: Address = "AA:BB:CC:DD:EE:FF"

    /// Runs a body like the bridge's tasks: on a loop that must not block.
    private func onLoop<Result: Sendable>(
        _ body: @escaping @Sendable (EventLoop) async throws -> Result
    ) async throws -> Result {
        let loop = try EventLoop.start(name: "bridge", isPrompt: true)
        defer { loop.stop() }
        return try await Task(executorPreference: loop) { try await body(loop) }.value
    }

    @Test("A path that is not a regular file is rejected at once: a FIFO, a pipe, a folder, a device")
    func irregular() async throws {
        try await ConfigurationScope.with { scope in
            let fifo = "\(scope.folder)/fifo"
            #expect(mkfifo(fifo, 0o600) == 0)
            let pipe = Pipe()
            let descriptor = pipe.fileHandleForReading.fileDescriptor
            for path in [fifo, "/proc/self/fd/\(descriptor)", scope.folder, "/dev/zero"] {
                let failure = #expect(throws: FileAccess.Failure.self) { try FileAccess.read(path) }
                #expect(failure?.description == "read \(path): not a regular file")
            }
            // Reading these files would never end, or has side effects.
            #expect(throws: FileAccess.Failure.self) { try FileAccess.read("/proc/kmsg") }
        }
    }

    @Test("A blocked disk does not block the loop while state and latch are written")
    func standingDisk() async throws {
        try await ConfigurationScope.with { scope in
            let (folder, standing) = (scope.folder, StandingDisk())
            let (stateFiles, latchFiles) = (
                try EventLoop.start(name: "state"), try EventLoop.start(name: "latches")
            )
            let rounds = try await onLoop { loop in
                let store = FileStateStore(
                    folder: folder, files: stateFiles, disk: standing.disk,
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
                let latches = FileLatchStore(
                    folder: folder, files: latchFiles, disk: standing.disk)
                async let isSaved = store.save(BridgeState(retainedTopics: ["a"]))
                async let failure = latches.keep(.latched, of: Self.address)
                while standing.calls < 2 { try await loop.sleep(until: EventLoop.now + .milliseconds(1)) }
                // Both now wait for the disk; the loop must continue.
                var rounds = 0
                for _ in 0..<50 {
                    #expect(loop.isIsolated)
                    try await loop.sleep(until: EventLoop.now + .milliseconds(1))
                    rounds += 1
                }
                standing.release(8)
                #expect(await isSaved)
                #expect(await failure == nil)
                return rounds
            }
            stateFiles.stop()
            latchFiles.stop()
            #expect(rounds == 50)
            #expect(standing.calls >= 4 && standing.promptCalls == 0)
        }
    }

    @Test("Reading the state and the latches does not use the loop's thread")
    func loading() async throws {
        try await ConfigurationScope.with { scope in
            let folder = scope.folder
            // In a debug build, FileAccess stops the process if it is used on the loop's thread.
            try await onLoop { _ in
                let store = FileStateStore(
                    folder: folder, files: FileThread.loop,
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
                #expect(await store.load() == BridgeState())
                let latches = FileLatchStore(folder: folder, files: FileThread.loop)
                #expect(await latches.load() == .known([:]))
            }
        }
    }

    #if DEBUG
    @Test("A debug build stops if a file is used on a thread that must not block")
    func assertion() async {
        await #expect(processExitsWith: .failure) {
            let loop = try EventLoop.start(name: "bridge", isPrompt: true)
            await withCheckedContinuation { done in
                loop.execute {
                    _ = try? FileAccess.read("/etc/hostname")
                    done.resume()
                }
            }
        }
        await #expect(processExitsWith: .success) {
            let loop = try EventLoop.start(name: "files")
            await withCheckedContinuation { done in
                loop.execute {
                    _ = try? FileAccess.read("/etc/hostname")
                    done.resume()
                }
            }
        }
    }
    #endif
}

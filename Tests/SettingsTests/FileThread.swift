import EventLoop
import Glibc
import Synchronization

@testable import HostServices

/// The thread that waits for the disk in tests; it runs until the process exits.
enum FileThread {
    static let loop: EventLoop = {
        do { return try EventLoop.start(name: "files") } catch { fatalError("\(error)") }
    }()
}

/// A disk that blocks until a test releases it, and counts on which threads it was waited for.
final class StandingDisk: Sendable {
    private struct State {
        var calls = 0
        var promptCalls = 0
    }

    private let state = Mutex(State())
    private let readEnd: CInt
    private let writeEnd: CInt

    init() {
        var ends: [CInt] = [-1, -1]
        precondition(pipe(&ends) == 0)
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// How often the disk was waited for, and how often on a thread that must not block.
    var calls: Int { state.withLock(\.calls) }
    var promptCalls: Int { state.withLock(\.promptCalls) }

    /// Releases a number of waits.
    func release(_ count: Int = 1) {
        let bytes = [UInt8](repeating: 0, count: count)
        _ = write(writeEnd, bytes, count)
    }

    var disk: Disk {
        Disk(synchronise: { self.wait($0, fsync) }, synchroniseData: { self.wait($0, fdatasync) })
    }

    private func wait(_ file: CInt, _ synchronise: (CInt) -> CInt) -> CInt {
        state.withLock { state in
            state.calls += 1
            if EventLoop.isOnPromptThread { state.promptCalls += 1 }
        }
        var byte: UInt8 = 0
        _ = read(readEnd, &byte, 1)
        return synchronise(file)
    }
}

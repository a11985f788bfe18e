public import BridgeContract
public import DeviceKit
import Synchronization

/// Keeps recordings in memory; a test decides what the disk does.
public final class MemoryRecordings: RecordingStore {
    private struct State {
        var files: [MemoryRecording] = []
        var failure: String?
    }

    private let state = Mutex(State())

    /// Makes a store without a recording.
    public init() {}

    /// The recordings so far.
    public var files: [MemoryRecording] { state.withLock(\.files) }

    /// Lets recordings fail from now on for a reason, those that run too; nil lets them work again.
    public func setFailure(_ reason: String?) {
        state.withLock { state in
            state.failure = reason
            for file in state.files { file.setFailure(reason) }
        }
    }

    /// Begins a file.
    public func begin(at date: TimeStamp) async throws(RecordingFailure) -> any RecordingFile {
        let (file, failure) = state.withLock { state in
            let file = MemoryRecording("/recordings/\(state.files.count + 1)")
            if state.failure == nil { state.files.append(file) }
            return (file, state.failure)
        }
        if let failure { throw RecordingFailure(failure) }
        return file
    }
}

/// A recording in memory.
public final class MemoryRecording: RecordingFile {
    private struct State {
        var bytes: [UInt8] = []
        var isClosed = false
        var failure: String?
    }

    /// Where it would lie.
    public let path: String
    private let state = Mutex(State())

    /// Makes an empty one.
    public init(_ path: String) { self.path = path }

    /// All that was written.
    public var text: String { String(decoding: state.withLock(\.bytes), as: UTF8.self) }
    /// Whether it has ended.
    public var isClosed: Bool { state.withLock(\.isClosed) }

    func setFailure(_ reason: String?) { state.withLock { $0.failure = reason } }

    /// Adds bytes.
    public func append(_ bytes: [UInt8]) async throws(RecordingFailure) {
        let failure = state.withLock { state in
            if state.failure == nil { state.bytes += bytes }
            return state.failure
        }
        if let failure { throw RecordingFailure(failure) }
    }

    /// Ends it.
    public func close() async { state.withLock { $0.isClosed = true } }
}

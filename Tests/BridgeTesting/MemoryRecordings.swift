public import BridgeContract
public import DeviceKit
import Synchronization

/// Keeps recordings in memory. The test decides how the disk behaves.
public final class MemoryRecordings: RecordingStore {
    private struct State {
        var files: [MemoryRecording] = []
        var failure: String?
    }

    private let state = Mutex(State())

    /// Creates an empty store.
    public init() {}

    /// All recordings so far.
    public var files: [MemoryRecording] { state.withLock(\.files) }

    /// Makes recordings fail with a reason, including those in progress; nil lets them work again.
    public func setFailure(_ reason: String?) {
        state.withLock { state in
            state.failure = reason
            for file in state.files { file.setFailure(reason) }
        }
    }

    /// Creates a file.
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

    /// The simulated path of the file.
    public let path: String
    private let state = Mutex(State())

    /// Creates an empty recording.
    public init(_ path: String) { self.path = path }

    /// The contents of the file.
    public var text: String { String(decoding: state.withLock(\.bytes), as: UTF8.self) }
    /// Whether the file is closed.
    public var isClosed: Bool { state.withLock(\.isClosed) }

    func setFailure(_ reason: String?) { state.withLock { $0.failure = reason } }

    /// Appends bytes.
    public func append(_ bytes: [UInt8]) async throws(RecordingFailure) {
        let failure = state.withLock { state in
            if state.failure == nil { state.bytes += bytes }
            return state.failure
        }
        if let failure { throw RecordingFailure(failure) }
    }

    /// Closes the file.
    public func close() async { state.withLock { $0.isClosed = true } }
}

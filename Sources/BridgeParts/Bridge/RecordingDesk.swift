package import BridgeContract
package import DeviceKit

/// Tracks the current recording, and the requests that wait for its end.
package struct RecordingDesk: Sendable {
    package struct Running: Sendable {
        package var file: any RecordingFile
        /// When the recording stops automatically; nil for a recording that was started with the bridge.
        package var end: (moment: Duration, date: TimeStamp)?

        package init(file: any RecordingFile, end: (moment: Duration, date: TimeStamp)? = nil) {
            self.file = file
            self.end = end
        }
    }

    private enum State: Sendable {
        case off
        case opening
        case running(Running)
        case ending
    }

    private var state = State.off
    private var waiters: [PendingRequest] = []
    /// Whether a write to the file is under way.
    package private(set) var isWriting = false

    package init() {}

    package var running: Running? { if case .running(let running) = state { running } else { nil } }

    /// Whether no recording is opening, running or ending.
    package var isOff: Bool { if case .off = state { true } else { false } }

    /// The reason why no other recording can start.
    package var complaint: String {
        guard let running else { return "a recording is starting or ending: send the request again" }
        let end = running.end.map { "until \($0.date)" } ?? "until the bridge stops"
        return "a recording runs \(end), into \(running.file.path); {\"seconds\":0} ends it"
    }

    /// Records that a recording is being opened; ``began(_:)`` or ``failed()`` follows.
    package mutating func open() { state = .opening }

    package mutating func began(_ running: Running) { state = .running(running) }

    package mutating func failed() { state = .off }

    /// Starts a write to the file; returns false while another write is under way.
    package mutating func beginWrite() -> Bool {
        guard !isWriting else { return false }
        isWriting = true
        return true
    }

    package mutating func endWrite() { isWriting = false }

    /// Starts to end the recording, and returns it; nil if none runs.
    package mutating func beginEnd() -> Running? {
        guard let running else { return nil }
        state = .ending
        return running
    }

    /// Queues a request to be answered when the recording has ended; returns false if there is no recording to wait
    /// for.
    package mutating func wait(_ request: PendingRequest) -> Bool {
        guard !isOff else { return false }
        waiters.append(request)
        return true
    }

    /// Records that the recording has ended.
    ///
    /// - Returns: The requests to answer.
    package mutating func ended() -> [PendingRequest] {
        state = .off
        defer { waiters = [] }
        return waiters
    }
}

package import BridgeContract
package import DeviceKit

/// Knows which recording is under way, and who waits for its end.
package struct RecordingDesk: Sendable {
    /// A recording that runs.
    package struct Running: Sendable {
        package var file: any RecordingFile
        /// When it ends by itself; nil for one that began with the bridge.
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
    /// Whether bytes are on their way to the file.
    package private(set) var isWriting = false

    package init() {}

    /// The recording that runs.
    package var running: Running? { if case .running(let running) = state { running } else { nil } }

    /// Whether nothing is under way.
    package var isOff: Bool { if case .off = state { true } else { false } }

    /// Why no other recording can begin.
    package var complaint: String {
        guard let running else { return "a recording begins or ends at the moment: ask again" }
        let end = running.end.map { "until \($0.date)" } ?? "until the bridge ends"
        return "a recording runs \(end), into \(running.file.path); {\"seconds\":0} ends it"
    }

    /// A recording is about to begin; ``began(_:)`` or ``failed()`` follows.
    package mutating func open() { state = .opening }

    package mutating func began(_ running: Running) { state = .running(running) }

    package mutating func failed() { state = .off }

    /// Begins to write; false while something is on its way already.
    package mutating func beginWrite() -> Bool {
        guard !isWriting else { return false }
        isWriting = true
        return true
    }

    package mutating func endWrite() { isWriting = false }

    /// Takes the recording that is to end; nil if none runs.
    package mutating func beginEnd() -> Running? {
        guard let running else { return nil }
        state = .ending
        return running
    }

    /// Has a request answered when the recording has ended; false where nothing is to be waited for.
    package mutating func wait(_ request: PendingRequest) -> Bool {
        guard !isOff else { return false }
        waiters.append(request)
        return true
    }

    /// The recording has ended.
    ///
    /// - Returns: The requests to answer.
    package mutating func ended() -> [PendingRequest] {
        state = .off
        defer { waiters = [] }
        return waiters
    }
}

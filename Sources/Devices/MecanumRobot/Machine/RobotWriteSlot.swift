import Bluetooth
import DeviceKit

/// The writes in progress: one frame or one stop at a time.
struct RobotWriteSlot: Hashable, Sendable {
    struct Content: Hashable, Sendable {
        /// Whether the writes are a stop; otherwise they are a frame.
        let isStop: Bool
        var batch: RobotBatch
        /// Whether the next frame is due as soon as this frame is written.
        var isNextDue = false
    }

    /// Whether the newest commanded state has been written to the robot.
    private enum News: Hashable {
        case untold, underWay, told
    }

    private(set) var content: Content?
    /// The time at which the newest frame or stop was started.
    private(set) var start: Duration
    /// Whether a stop must be written again.
    var isStopDue = false
    private var news = News.told

    init(start: Duration = .zero) { self.start = start }

    var isTold: Bool { news == .told }
    /// The stop in progress.
    var stop: RobotBatch? { content?.isStop == true ? content?.batch : nil }
    /// The commands that the writes in progress carry out.
    var commands: [CommandID] { content?.batch.commands ?? [] }

    /// Records that the commanded state changed, so that it must be written.
    mutating func changed() { news = .untold }

    /// Requests the next frame.
    ///
    /// - Returns: Whether the frame can start now.
    mutating func requestFrame() -> Bool {
        content?.isNextDue = true
        return content == nil
    }

    mutating func startFrame(_ batch: RobotBatch, at now: Duration) {
        (content, start) = (Content(isStop: false, batch: batch), now)
        if news == .untold { news = .underWay }
    }

    /// Starts a stop in place of the writes in progress. The new stop also answers the commands of an earlier stop.
    mutating func startStop(_ batch: RobotBatch, at now: Duration) {
        var batch = batch
        batch.commands = stop?.commands ?? []
        (content, start, isStopDue) = (Content(isStop: true, batch: batch), now, false)
    }

    /// Adds a command that is answered when the writes in progress are complete.
    mutating func add(_ command: CommandID) { content?.batch.commands.append(command) }

    /// Removes and returns the commands of the frame in progress.
    mutating func takeFrameCommands() -> [CommandID] {
        guard content?.isStop == false else { return [] }
        defer { content?.batch.commands = [] }
        return commands
    }

    /// Resets everything except a stop in progress; its commands are already answered.
    mutating func keepOnlyStop() {
        let kept = stop == nil ? nil : content
        self = RobotWriteSlot()
        content = kept
        content?.batch.commands = []
    }

    /// Records a completed write.
    ///
    /// - Returns: The completed frame or stop; nil if other writes are in progress.
    mutating func completed(_ token: WriteToken, _ result: WriteResult) -> Content? {
        guard content?.batch.completed(token, result) == true, let done = content else { return nil }
        content = nil
        if !done.isStop, done.batch.error == nil, news == .underWay { news = .told }
        return done
    }
}

import Bluetooth
import DeviceKit

/// The writes to the robot that are under way: one frame or one stop at a time.
struct RobotWriteSlot: Hashable, Sendable {
    struct Content: Hashable, Sendable {
        /// A stop, or a frame.
        let isStop: Bool
        var batch: RobotBatch
        /// Whether the next frame is due as soon as this one is written.
        var isNextDue = false
    }

    /// Whether the robot was told the newest state.
    private enum News: Hashable {
        case untold, underWay, told
    }

    private(set) var content: Content?
    /// When the newest frame or stop was started.
    private(set) var start: Duration
    /// Whether a stop must be written again.
    var isStopDue = false
    private var news = News.told

    init(start: Duration = .zero) { self.start = start }

    var isTold: Bool { news == .told }
    /// The stop that is under way.
    var stop: RobotBatch? { content?.isStop == true ? content?.batch : nil }
    /// The commands that what is under way carries out.
    var commands: [CommandID] { content?.batch.commands ?? [] }

    /// Notes that there is something to tell to the robot.
    mutating func changed() { news = .untold }

    /// Asks for the next frame.
    ///
    /// - Returns: Whether it can start now.
    mutating func requestFrame() -> Bool {
        content?.isNextDue = true
        return content == nil
    }

    mutating func startFrame(_ batch: RobotBatch, at now: Duration) {
        (content, start) = (Content(isStop: false, batch: batch), now)
        if news == .untold { news = .underWay }
    }

    /// Starts a stop in place of what is under way; it takes over the commands of an earlier stop.
    mutating func startStop(_ batch: RobotBatch, at now: Duration) {
        var batch = batch
        batch.commands = stop?.commands ?? []
        (content, start, isStopDue) = (Content(isStop: true, batch: batch), now, false)
    }

    /// Adds a command that is answered when what is under way is written.
    mutating func add(_ command: CommandID) { content?.batch.commands.append(command) }

    /// Takes the commands of the frame under way out.
    mutating func takeFrameCommands() -> [CommandID] {
        guard content?.isStop == false else { return [] }
        defer { content?.batch.commands = [] }
        return commands
    }

    /// Forgets everything but a stop that is under way, whose commands are answered.
    mutating func keepOnlyStop() {
        let kept = stop == nil ? nil : content
        self = RobotWriteSlot()
        content = kept
        content?.batch.commands = []
    }

    /// Notes a completed write.
    ///
    /// - Returns: What is written with it; nil if more is under way.
    mutating func completed(_ token: WriteToken, _ result: WriteResult) -> Content? {
        guard content?.batch.completed(token, result) == true, let done = content else { return nil }
        content = nil
        if !done.isStop, done.batch.error == nil, news == .underWay { news = .told }
        return done
    }
}

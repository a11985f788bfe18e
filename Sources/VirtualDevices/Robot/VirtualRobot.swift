import Bluetooth

/// A mecanum battle robot in software, with the firmware behaviour that makes it dangerous: it goes on with its
/// last command for ever, and keeps it across a disconnect.
///
/// Written from docs/protocols/robot.md alone; what that leaves open is in ``Choices``.
public struct VirtualRobot: VirtualDevice {
    let choices: Choices
    /// What was written last to each characteristic; a read gives it back.
    var values: [CharacteristicID: [UInt8]] = [:]
    var movement = Polar()
    var rotation = Polar()
    var fieldOrientation = true
    /// The firmware's own flag, which a buttons value sets and clears.
    var isStopped = true
    /// Whether the motors have power; after a disconnect they may have none while the flag says otherwise.
    var hasPower = false
    var weapon = false
    var isConnected = false
    /// How many reads from now on give something else than what was written.
    var refusals = 0

    var wheels = Wheels()
    var pose = Pose()
    /// When the pose was computed last.
    var posedAt: Duration?
    /// When the pose was reported last.
    var poseReportedAt = Duration.zero

    /// An angle in degrees and a magnitude.
    struct Polar: Hashable, Sendable {
        var angle = 0.0
        var magnitude = 0.0
    }

    enum Timer: String, CaseIterable {
        case step
        case block
    }

    /// Makes a robot that is switched off.
    public init(_ choices: Choices = Choices()) {
        self.choices = choices
        pose.heading = Double(choices.heading)
    }

    /// Reacts as a robot does.
    public mutating func handle(_ stimulus: Stimulus, at now: Duration, reactions: inout [Reaction]) {
        drive(to: now)
        switch stimulus {
        case .poweredOn: boot(&reactions)
        case .connected: isConnected = true
        case .disconnected: disconnected(&reactions)
        case .bonded, .subscribed: break
        case .read(let id): reactions.append(read(id))
        case .write(let id, let bytes, let withResponse):
            reactions.append(write(id, bytes, withResponse: withResponse, &reactions))
        case .timer(let name):
            if Timer(rawValue: name) == .block { endBlock(&reactions) }
        case .act(let words): act(words, &reactions)
        }
        turnWheels(at: now, &reactions)
    }
}

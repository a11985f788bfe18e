import Bluetooth

/// A simulated mecanum battle robot with the dangerous behavior of its firmware. The robot continues its last command
/// indefinitely, and keeps the command across a disconnect.
///
/// The only source is docs/protocols/robot.md. ``Choices`` defines what that page leaves open.
public struct VirtualRobot: VirtualDevice {
    let choices: Choices
    /// The last written value of each characteristic, which a read returns.
    var values: [CharacteristicID: [UInt8]] = [:]
    var movement = Polar()
    var rotation = Polar()
    var fieldOrientation = true
    /// The firmware's stop flag, which a buttons value sets and clears.
    var isStopped = true
    /// Whether the motors have power. After a disconnect, they may lack power although the flag is clear.
    var hasPower = false
    var weapon = false
    var isConnected = false
    /// The number of further reads that return a value different from the written value.
    var refusals = 0

    var wheels = Wheels()
    var pose = Pose()
    /// When the pose was computed last.
    var posedAt: Duration?
    /// When the pose was reported last.
    var poseReportedAt = Duration.zero

    /// The content of a movement or rotation value: an angle in degrees, and a magnitude.
    struct Polar: Hashable, Sendable {
        var angle = 0.0
        var magnitude = 0.0
    }

    enum Timer: String, CaseIterable {
        case step
        case block
    }

    /// Creates a robot that is switched off.
    public init(_ choices: Choices = Choices()) {
        self.choices = choices
        pose.heading = Double(choices.heading)
    }

    /// Handles a stimulus in the same way as a real robot.
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

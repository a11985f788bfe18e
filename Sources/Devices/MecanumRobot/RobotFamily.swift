public import Bluetooth
public import DeviceKit

/// The mecanum battle robot: four wheels that drive in every direction, and a weapon.
///
/// Its firmware repeats the last command indefinitely and keeps it across a disconnect, so the bridge is responsible
/// for safety. Facts come from its firmware and from its makers' iOS controller; `docs/protocols/robot.md` names the
/// source of each.
public struct RobotFamily: DeviceFamily {
    /// The name in configuration and topics.
    public let name = "robot"
    /// The product name.
    public let displayName = "mecanum battle robot"
    /// The first robot has the name `robot`; the names of further robots contain an identifier.
    public let naming = Naming.single

    /// What a robot requires of its link. The robot has priority over other devices, so that its driver can stop it.
    public let requirements = LinkRequirements(required: RobotGATT.all, isSafetyCritical: true)

    /// How the robot's emergency stop is kept across restarts of the bridge.
    public let latching: Latching? = Latching(
        report: RobotFamily.status.name, memoryKey: RobotFamily.status.names.said(\.isEmergencyStopSet))

    /// The settings of robots.
    public var settings: [Field] { RobotSettings.handle.fields }

    /// The features of robots.
    public var features: [Feature] { Self.motionFeatures + Self.switchFeatures }

    /// The longest lease that any configuration can allow for a drive command.
    static let longestLease = 5000
    private static let namePrefix = "ESP32_BLE"

    /// A robot is recognized by its name only, because it advertises no service.
    public var recognitions: [Recognition] { [Recognition(name: Self.namePrefix + "*")] }

    /// Creates the family.
    public init() {}

    /// Whether the device can be a robot. Only the name is significant, because the robot advertises no service.
    /// After connecting, the three characteristics confirm it.
    public func recognises(_ advertisement: Advertisement) -> Bool {
        advertisement.name?.hasPrefix(Self.namePrefix) ?? false
    }

    /// How well an advertisement identifies a robot: by a name prefix and, if the host has cached the robot's services,
    /// also by its service. The service counts because families of other devices with the same service must not get a
    /// robot.
    public func rank(of advertisement: Advertisement) -> MatchRank {
        advertisement.services.contains(RobotGATT.service)
            ? MatchRank(.identifier, conditions: 2, literals: Self.namePrefix.count)
            : MatchRank(.partialName, literals: Self.namePrefix.count)
    }

    /// Of the commands that are sent to a group of devices, a robot accepts only those that make it stand still: a user
    /// who controls several devices at once cannot watch the robot.
    public func takesFromGroup(_ feature: String, _ arguments: Arguments) -> Bool {
        switch feature {
        case Self.stop, Self.emergencyStop: true
        case Self.power: (try? Self.power.parse(arguments))?.isOn == false
        case Self.weapon: (try? Self.weapon.parse(arguments))?.isOn == false
        default: false
        }
    }

    /// The limits for commands that move the robot: the maximum delay of messages from the broker, and the longest
    /// lease.
    public func motionLimits(_ settings: Arguments) -> MotionGate.Limits? {
        let settings = RobotSettings.handle.parse(settings)
        return MotionGate.Limits(
            maxPathDelay: .milliseconds(settings.maxPathDelay),
            longestLease: .milliseconds(settings.longestLease))
    }

    /// Returns what a command requests if it moves the robot or makes motion possible: drive, weapon on, or power on.
    /// An unreadable drive or weapon command counts as motion, because its sender may be holding the joystick.
    public func motionRequest(_ feature: String, _ arguments: Arguments?) -> MotionRequest {
        let unreadable = MotionRequest(.motion(lease: nil))
        switch feature {
        case Self.drive:
            guard let asked = arguments.flatMap({ try? Self.drive.parse($0) }) else { return unreadable }
            var request = MotionRequest(
                .motion(lease: asked.duration.map { .milliseconds($0) }), hold: asked.hold, echo: asked.echo)
            if !RobotMotion(asked).isMotion { request.demand = .rest }
            return request
        case Self.power:
            guard let asked = arguments.flatMap({ try? Self.power.parse($0) }) else {
                return MotionRequest(.power)
            }
            return MotionRequest(asked.isOn ? .power : .none, echo: asked.echo)
        case Self.weapon:
            guard let asked = arguments.flatMap({ try? Self.weapon.parse($0) }) else { return unreadable }
            let lease = asked.duration.map { Duration.milliseconds($0) }
            return MotionRequest(asked.isOn ? .motion(lease: lease) : .none, echo: asked.echo)
        default: return MotionRequest(.none)
        }
    }

    /// Creates the state machine of one robot.
    public func makeMachine(_ context: DeviceContext) -> any DeviceMachine {
        RobotMachine(RobotSettings.handle.parse(context.settings), latch: context.latch)
    }
}

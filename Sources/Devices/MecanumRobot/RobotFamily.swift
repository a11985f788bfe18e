public import Bluetooth
public import DeviceKit

/// The mecanum battle robot: four wheels that drive in every direction, and a weapon.
///
/// Its firmware goes on with the last command for ever and keeps it across a disconnect, so that the bridge is
/// what makes it safe. Facts come from its firmware and from its makers' iOS controller;
/// `docs/protocols/robot.md` names each one's place.
public struct RobotFamily: DeviceFamily {
    /// The name in configuration and topics.
    public let name = "robot"
    /// The name as a person would call it.
    public let displayName = "mecanum battle robot"
    /// One robot is `robot`; others carry an identifier.
    public let naming = Naming.single

    /// What a robot needs of the link. It goes before other devices: who drives it wants to be able to stop it.
    public let requirements = LinkRequirements(required: RobotGATT.all, isSafetyCritical: true)

    /// An emergency stop holds over restarts.
    public let latching: Latching? = Latching(
        report: RobotFamily.status.name, memoryKey: RobotFamily.status.names.said(\.isEmergencyStopSet))

    /// What a configuration may say of robots.
    public var settings: [Field] { RobotSettings.handle.fields }

    /// What robots say and do.
    public var features: [Feature] { Self.motionFeatures + Self.switchFeatures }

    /// The longest time that any configuration can give to a drive command.
    static let longestLease = 5000
    private static let namePrefix = "ESP32_BLE"

    /// Its name, since it advertises no service.
    public var recognitions: [Recognition] { [Recognition(name: Self.namePrefix + "*")] }

    /// Makes the family.
    public init() {}

    /// Whether it may be a robot: only the name can tell, since the robot advertises no service. The link then
    /// proves it by the three characteristics.
    public func recognises(_ advertisement: Advertisement) -> Bool {
        advertisement.name?.hasPrefix(Self.namePrefix) ?? false
    }

    /// That of the beginning of a name; of a robot whose services the host remembers, that of the service too. Other
    /// devices have the same service, and none of their families may get a robot.
    public func rank(of advertisement: Advertisement) -> MatchRank {
        advertisement.services.contains(RobotGATT.service)
            ? MatchRank(.identifier, conditions: 2, literals: Self.namePrefix.count)
            : MatchRank(.partialName, literals: Self.namePrefix.count)
    }

    /// From a group a robot takes only what makes it stand still: who drives several devices at once sees none of
    /// them.
    public func takesFromGroup(_ feature: String, _ arguments: Arguments) -> Bool {
        switch feature {
        case Self.stop, Self.emergencyStop: true
        case Self.power: (try? Self.power.parse(arguments))?.isOn == false
        case Self.weapon: (try? Self.weapon.parse(arguments))?.isOn == false
        default: false
        }
    }

    /// A robot's motion is decided by the age of the newest echo and by its longest lease.
    public func motionLimits(_ settings: Arguments) -> MotionGate.Limits? {
        let settings = RobotSettings.handle.parse(settings)
        return MotionGate.Limits(
            maxPathDelay: .milliseconds(settings.maxPathDelay),
            longestLease: .milliseconds(settings.longestLease))
    }

    /// What moves a robot or makes that possible: a drive, weapon on and power on. One that cannot be read counts as
    /// such a command, since a sender of it may hold a stick.
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

    /// Makes the state machine of one robot.
    public func makeMachine(_ context: DeviceContext) -> any DeviceMachine {
        RobotMachine(RobotSettings.handle.parse(context.settings), latch: context.latch)
    }
}

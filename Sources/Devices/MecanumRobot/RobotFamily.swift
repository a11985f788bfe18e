public import Bluetooth
public import DeviceKit
import JSON

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
    public let requirements = LinkRequirements(required: GATT.all, isSafetyCritical: true)

    /// An emergency stop holds over restarts.
    public let latching: Latching? = Latching(report: "status", memoryKey: "emergency_stop")

    /// What a configuration may say of robots.
    public let settings = [
        Field(
            "max_lease_ms", .integer(100...RobotFamily.longestLease), unit: "ms", default: 2000,
            "How long a drive command may hold at most without a newer one."),
        Field(
            "max_path_delay_ms", .integer(300...5000), unit: "ms", default: 750,
            "How late the way from the broker to the bridge may be; beyond it the robot is stopped and takes "
                + "nothing that moves it."),
        Field(
            "power_timeout_s", .integer(1...86_400), unit: "s", default: 300,
            "After how long without a drive command the motors' power is switched off."),
        Field(
            "allow_weapon", .boolean, default: false,
            "Whether the weapon may be switched on at all."),
        Field(
            "power_on_connect", .boolean, default: false,
            "Whether the motors get power as soon as the robot is connected; not after an emergency stop, nor where "
                + "it is not known whether one was set, until power/set on."),
    ]

    /// What robots say and do.
    public var features: [Feature] { Self.motionFeatures + Self.switchFeatures }

    /// The longest time that any configuration can give to a drive command.
    static let longestLease = 5000
    private static let namePrefix = "ESP32_BLE"

    /// Makes the family.
    public init() {}

    /// Whether it may be a robot: only the name can tell, since the robot advertises no service. The link then
    /// proves it by the three characteristics.
    public func recognises(_ advertisement: Advertisement) -> Bool {
        advertisement.name?.hasPrefix(Self.namePrefix) ?? false
    }

    /// From a group a robot takes only what makes it stand still: who drives several devices at once sees none of
    /// them.
    public func takesFromGroup(_ feature: String, _ arguments: Arguments) -> Bool {
        switch feature {
        case "stop", "emergency_stop": true
        case "power", "weapon": !arguments.flag(feature)
        default: false
        }
    }

    /// A robot's motion is decided by the age of the newest echo and by its longest lease.
    public func motionLimits(_ settings: Arguments) -> MotionGate.Limits? {
        MotionGate.Limits(
            maxPathDelay: .milliseconds(settings.integer("max_path_delay_ms") ?? 750),
            longestLease: .milliseconds(settings.integer("max_lease_ms") ?? 2000))
    }

    /// What moves a robot or makes that possible: a drive, power on and weapon on. One that cannot be read counts as
    /// motion, since a sender of it holds a stick.
    public func motionRequest(_ feature: String, _ arguments: Arguments?) -> MotionRequest {
        guard ["drive", "power", "weapon"].contains(feature) else { return MotionRequest(.none) }
        guard let arguments else { return MotionRequest(.motion(lease: nil)) }
        var request = MotionRequest(
            .motion(lease: arguments.integer("duration_ms").map { .milliseconds($0) }),
            hold: arguments.integer("hold"), echo: arguments.text("echo"))
        if feature != "drive" {
            if !arguments.flag(feature) { request.demand = .none }
        } else if let motion = try? Motion(arguments), !motion.isMotion {
            request.demand = .rest
        }
        return request
    }

    /// Makes the state machine of one robot.
    public func makeMachine(_ context: DeviceContext) -> any DeviceMachine {
        RobotMachine(settings: context.settings, latch: context.latch)
    }
}

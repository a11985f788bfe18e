import DeviceKit
import JSON

extension RobotFamily {
    static let motionFeatures = [status.feature, drive.feature, stop.feature, emergencyStop.feature]

    /// The arguments of `drive`.
    struct DriveCommand: Hashable, Sendable {
        /// The direction in degrees.
        var direction: Double?
        var speed: Double?
        var x: Double?
        var y: Double?
        var turn = 0.0
        /// How long the robot drives by this command unless a newer one arrives (the lease), in milliseconds.
        var duration: Int?
        var hold: Int?
        var echo: String?
    }

    static let drive = FeatureHandle<Never, DriveCommand>(
        "drive",
        "Drives and turns until the lease ends. Without a newer command, the robot then stops. Needs "
            + "power.",
        takes: Taking(
            DriveCommand(),
            [
                .field(
                    "direction", \.direction, .angle, unit: "degrees",
                    "The direction; 0 is forward, 90 is right."),
                .field("speed", \.speed, .number(0...1), "The speed, 0 to 1; required with a direction."),
                .field(
                    "x", \.x, .number(-1...1), "The speed to the right, instead of direction and speed."),
                .field(
                    "y", \.y, .number(-1...1),
                    "The speed forward, instead of direction and speed; a vector longer than 1 is shortened."),
                .field(
                    "turn", \.turn, .number(-1...1),
                    "The turn rate; -1 is counterclockwise, 1 is clockwise."),
                .field(
                    "duration_ms", \.duration, .integer(1...longestLease), unit: "ms",
                    "The lease of the command; 500 if omitted, at most the configuration's max_lease_ms."),
                .field(
                    "hold", \.hold, .integer(0...9_007_199_254_740_991),
                    "A random number for each press of the stick, never a counter. After a stop, the press "
                        + "that it ended no longer moves the robot."),
                echo(\.echo),
            ],
            rules: [
                .atMostOne([\.direction, \.x]), .atMostOne([\.direction, \.y]), .atMostOne([\.speed, \.x]),
                .atMostOne([\.speed, \.y]), .atLeastOne([\.direction, \.speed, \.x, \.y, \.turn]),
                .given(\.direction, .requires([\.speed])),
            ], traits: [.latest, .fleeting, .hazardous],
            example: .object(DriveCommand(direction: 90, speed: 0.5, turn: -0.2, duration: 500)),
            rest: .object(DriveCommand(speed: 0))),
        shown: { keys in
            // The speed and the turn that the example buttons command, which is slow. Their commands have no duration,
            // so the motion lasts for the default lease.
            let easy: JSON.Value = 0.3
            func step(_ name: String, _ icon: String, _ payload: JSON.Object) -> Presentation {
                .action(
                    "Drive \(name)", sends: .object(payload), id: name.replacing(" ", with: "_"), icon: icon,
                    when: .motion)
            }
            func way(_ direction: Int) -> JSON.Object {
                [keys.taken(\.direction): .integer(direction), keys.taken(\.speed): easy]
            }
            return [
                step("forward", "arrow-up-bold", way(0)), step("right", "arrow-right-bold", way(90)),
                step("back", "arrow-down-bold", way(180)), step("left", "arrow-left-bold", way(270)),
                step("turn right", "rotate-right", [keys.taken(\.turn): easy]),
                step("turn left", "rotate-left", [keys.taken(\.turn): -0.3]),
            ]
        })

    /// The field `echo` of a command. The sender copies into it the newest value on `bridge/<bridge>/echo` that it has
    /// read, which proves that the sender receives current messages.
    static func echo<Whole>(_ path: any WritableKeyPath<Whole, String?> & Sendable) -> TakenField<Whole> {
        .field(
            "echo", path, .text(1...64),
            "The newest value that was read on bridge/<bridge>/echo. The command is then valid only while the echo is "
                + "at most max_path_delay_ms old.")
    }

    static let stop = FeatureHandle<Never, NoArguments>(
        "stop",
        "Stops the motion and switches the weapon off, whatever the payload. Nothing moves again until the stick is "
            + "released for half a second, or for the longest recent duration_ms.",
        takes: .nothing(traits: .stop),
        shown: { _ in [.action("Stop", sends: [:], icon: "stop-circle", offline: true)] })

    /// The field of an emergency stop's answer that reports whether the stop was stored on disk.
    static let latchAnswer = Field(
        "latch", .choice(["kept", "not_kept"]),
        "Whether the stop survives a restart of the bridge; until then it holds in any case.")
    /// The field of an emergency stop's answer that reports why the stop was not stored on disk.
    static let latchReasonAnswer = Field("reason", .text(0...Int.max), "The reason if it is not kept.")

    static let emergencyStop = FeatureHandle<Never, NoArguments>(
        "emergency_stop",
        "Switches power and weapon off, whatever the payload; holds until power/set on, even across restarts. The "
            + "answer waits up to 2 s for the disk and reports whether the stop is stored.",
        takes: .nothing(traits: [.stop, .kept], answers: [latchAnswer, latchReasonAnswer]),
        shown: { _ in [.action("Emergency stop", sends: [:], icon: "alert-octagon", offline: true)] })
}

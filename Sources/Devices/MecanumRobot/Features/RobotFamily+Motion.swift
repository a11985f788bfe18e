import DeviceKit
import JSON

extension RobotFamily {
    static let motionFeatures = [status, drive, stop, emergencyStop]

    private static let component: FieldType = .number(-1...1)

    private static let status = Feature(
        "status", "What the robot was told to do, what stopped it last, and whether it can be driven.",
        report: Report(
            .state,
            [
                Field(
                    "connection",
                    .choice(["disconnected", "searching", "connecting", "connected", "error"]),
                    "Where the connection stands; to be read together with the availability."),
                Field("power", .boolean, "Whether the motors have power."),
                Field("emergency_stop", .boolean, "Whether the emergency stop is set."),
                Field("weapon", .boolean, "Whether the weapon is on."),
                Field(
                    "field_orientation", .boolean,
                    "Whether directions are relative to the heading that the robot had at its start."),
                Field(
                    "field_offset", .number(-180...180), unit: "degrees",
                    "What is added to directions while field orientation is on."),
                Field("moving", .boolean, "Whether it is told to move."),
                Field("direction", .angle, unit: "degrees", "Where it drives; 0 forward, 90 right."),
                Field("speed", .number(0...1), "How fast it drives."),
                Field("turn", component, "How fast it turns; -1 counter-clockwise, 1 clockwise."),
                Field(
                    "lease_ms", .integer(0...longestLease), unit: "ms",
                    "How long the drive command holds without a newer one."),
                Field(
                    "stopped_by", .choice(StopReason.allCases.map(\.rawValue)), nullable: true,
                    "What stopped it last; null since it was driven."),
                Field(
                    "blocked_by", .choice(MotionGate.Block.allCases.map(\.rawValue)), nullable: true,
                    "Why it takes no drive, power on or weapon on now: stopped: let go of the stick; path: the "
                        + "way from the broker is late; subscription: a stop could not arrive. null if it "
                        + "takes them, and while it is not connected."),
                Field(
                    "unconfirmed", .boolean,
                    "Whether a motion had to be ended without the bridge and nothing confirms yet that it ended: "
                        + "keep away."),
            ],
            example: [
                "connection": "connected", "power": true, "emergency_stop": false, "weapon": false,
                "field_orientation": true, "field_offset": 0, "moving": true, "direction": 90, "speed": 0.5,
                "turn": 0, "lease_ms": 420, "stopped_by": nil, "blocked_by": nil, "unconfirmed": false,
            ]),
        shown: [
            .reading("Power", of: "power", meaning: .power),
            .reading("Emergency stop set", of: "emergency_stop", meaning: .problem),
            .reading("Moving", of: "moving", meaning: .moving),
            .reading("Weapon", of: "weapon", meaning: .running),
            .reading("Stopped by", of: "stopped_by", purpose: .diagnosis, icon: "car-brake-alert"),
            .reading("Blocked by", of: "blocked_by", purpose: .diagnosis, icon: "gate-alert"),
            .reading("Direction", of: "direction", icon: "compass-rose", hidden: true),
            .reading("Speed", of: "speed", icon: "speedometer", hidden: true),
            .reading("Turn", of: "turn", icon: "rotate-right", hidden: true),
            .reading(
                "Field orientation", of: "field_orientation", purpose: .diagnosis, icon: "axis-arrow",
                hidden: true),
        ])

    private static let drive = Feature(
        "drive",
        "Drives and turns for as long as the lease lasts; without a newer command the robot stops then. Needs "
            + "power.",
        command: Command(
            [
                Field("direction", .angle, unit: "degrees", "Where to; 0 forward, 90 right."),
                Field("speed", .number(0...1), "How fast; with a direction it must be there."),
                Field("x", component, "Instead of direction and speed: how fast to the right."),
                Field(
                    "y", component,
                    "Instead of direction and speed: how fast forward; a vector longer than 1 is shortened."),
                Field(
                    "turn", component, default: 0,
                    "How fast to turn; -1 counter-clockwise, 1 clockwise."),
                Field(
                    "duration_ms", .integer(1...longestLease), unit: "ms",
                    "How long it holds; 500 if left out, at most the configuration's max_lease_ms."),
                Field(
                    "hold", .integer(0...9_007_199_254_740_991),
                    "A random number for each press of the stick, never a counter: a press that a stop has "
                        + "ended moves nothing any more."),
                echo,
            ],
            rules: [
                .atMostOne(["direction", "x"]), .atMostOne(["direction", "y"]), .atMostOne(["speed", "x"]),
                .atMostOne(["speed", "y"]), .atLeastOne(["direction", "speed", "x", "y", "turn"]),
            ], traits: [.latest, .fleeting, .hazardous],
            example: ["direction": 90, "speed": 0.5, "turn": -0.2, "duration_ms": 500]),
        shown: steps.map { step in
            .action(
                "Drive \(step.name)", sends: .object(step.payload), id: step.name.replacing(" ", with: "_"),
                icon: step.icon, when: .motion)
        })

    /// What a sender read last of the bridge's own messages to itself.
    static let echo = Field(
        "echo", .text(1...64),
        "The newest value that was read on bridge/<bridge>/echo: then the command counts only while that one is "
            + "at most max_path_delay_ms old.")

    /// A short way at an easy pace, for as long as a lease lasts that names no time.
    private static let steps: [(name: String, icon: String, payload: JSON.Object)] = [
        ("forward", "arrow-up-bold", ["direction": 0, "speed": easy]),
        ("right", "arrow-right-bold", ["direction": 90, "speed": easy]),
        ("back", "arrow-down-bold", ["direction": 180, "speed": easy]),
        ("left", "arrow-left-bold", ["direction": 270, "speed": easy]),
        ("turn right", "rotate-right", ["turn": easy]), ("turn left", "rotate-left", ["turn": -0.3]),
    ]
    private static let easy: JSON.Value = 0.3

    private static let stop = Feature(
        "stop",
        "Ends the motion and switches the weapon off, whatever the payload. Then nothing moves until the stick was "
            + "let go of for half a second, or for the longest duration_ms of late.",
        command: Command([], empty: [:], traits: .stop, example: [:]),
        shown: [.action("Stop", sends: [:], icon: "stop-circle", offline: true)])

    private static let emergencyStop = Feature(
        "emergency_stop",
        "Switches power and weapon off, whatever the payload; holds until power/set on, over restarts too. The "
            + "answer waits up to 2 s for the disk, and says whether the disk keeps it.",
        command: Command(
            [], empty: [:], traits: [.stop, .kept],
            answers: [
                Field(
                    "latch", .choice(["kept", "not_kept"]),
                    "Whether it holds over a restart of the bridge; until then it holds in any case."),
                Field("reason", .text(0...Int.max), "Why it is not kept."),
            ], example: [:]),
        shown: [.action("Emergency stop", sends: [:], icon: "alert-octagon", offline: true)])
}

import Bluetooth
import BridgeTesting
import DeviceKit
import JSON

/// A family of devices that roll until they are stopped. The will changes with the motion.
struct RollerFamily: DeviceFamily {
    static let motor = CharacteristicID(service: 0xBB00, uuid: 0xBB01)
    static let power = CharacteristicID(service: 0xBB00, uuid: 0xBB02)

    /// Whether the device switches its power on automatically as soon as motion is allowed.
    var armsItself = false
    let name = "roller"
    let displayName = "Roller"
    let naming = Naming.single
    var requirements = LinkRequirements(required: [motor], optional: [power], isSafetyCritical: true)
    let settings = [
        Field("max_path_delay_ms", .integer(300...5000), default: 750, "How late the way may be.")
    ]
    let features = [
        Feature(
            "roll", "Rolls for a time.",
            command: Command(
                [
                    Field("duration_ms", .integer(0...5000), unit: "ms", required: true, "The duration."),
                    Field("hold", .integer(0...1000), "The press."),
                    Field("echo", .text(1...64), "The newest echo that was read."),
                ],
                shorthands: [.field("duration_ms")], traits: [.latest, .fleeting, .hazardous],
                example: 500)),
        Feature("arm", "Lets it roll.", command: Command([], empty: [:], example: [:])),
        Feature("spin", "Arms it and lets it spin.", command: Command([], empty: [:], example: [:])),
        Feature("stop", "Stops it.", command: Command([], empty: [:], traits: .stop, example: [:])),
    ]

    func motionLimits(_ settings: Arguments) -> MotionGate.Limits? {
        MotionGate.Limits(maxPathDelay: .milliseconds(settings.integer("max_path_delay_ms") ?? 750))
    }

    func motionRequest(_ feature: String, _ arguments: Arguments?) -> MotionRequest {
        guard feature == "roll" else { return MotionRequest(.none) }
        let time = arguments?.integer("duration_ms")
        return MotionRequest(
            time == 0 ? .rest : .motion(lease: time.map { .milliseconds($0) }),
            hold: arguments?.integer("hold"),
            echo: arguments?.text("echo"))
    }

    func recognises(_ advertisement: Advertisement) -> Bool {
        advertisement.name?.hasPrefix("roller") ?? false
    }

    func makeMachine(_ context: DeviceContext) -> any DeviceMachine { RollerMachine(armsItself: armsItself) }
}

extension TestBridge {
    /// Advances the time until a bridge that has just started or was stopped accepts motion commands.
    func letStartPass() { time.advance(by: .milliseconds(2500)) }
}

/// The behavior of a roller.
struct RollerMachine: DeviceMachine {
    let armsItself: Bool
    private var deadline: Duration?
    private var isLinked = false

    init(armsItself: Bool) { self.armsItself = armsItself }

    var will: Will {
        guard isLinked else { return .none }
        return Will(
            writes: [Write(RollerFamily.motor, [0], .withoutResponse), Write(RollerFamily.power, [0])],
            deadline: deadline, deadlineWrites: [Write(RollerFamily.motor, [0], .withoutResponse)],
            readBack: [RollerFamily.motor])
    }

    mutating func handle(_ input: Input, at now: Duration, effects: inout Effects) {
        switch input {
        case .connected:
            isLinked = true
            effects.append(.ready)
            if armsItself { effects.append(.awaitClearance) }
        case .disconnected: (isLinked, deadline) = (false, nil)
        case .command(let id, "roll", let arguments):
            let time = Duration.milliseconds(arguments.integer("duration_ms") ?? 0)
            deadline = now + time
            effects.write(RollerFamily.motor, [1], .withoutResponse)
            effects.startTimer("end", after: time)
            effects.answer(id, .ok)
        case .command(let id, "stop", _):
            effects.count("stops")
            halt(&effects)
            effects.answer(id, .ok)
        case .command(let id, "spin", _):
            effects.write(RollerFamily.power, [1], priority: .ahead)
            effects.write(RollerFamily.motor, [2], .withoutResponse)
            effects.answer(id, .ok)
        case .command(let id, _, _):
            effects.write(RollerFamily.power, [1])
            effects.answer(id, .ok)
        case .cleared: effects.write(RollerFamily.power, [9])
        case .timer, .stop: halt(&effects)
        case .close:
            halt(&effects)
            effects.append(.disconnect)
        case .guardian(let report): effects.remark(.info, "guardian: \(report.rawValue)")
        case .advertised, .notification, .readCompleted, .writeCompleted, .subscribed, .motionBlocked,
            .recalled, .recalling, .latchKept, .relayed, .settings:
            break
        }
    }

    private mutating func halt(_ effects: inout Effects) {
        deadline = nil
        effects.cancelTimer("end")
        effects.write(RollerFamily.motor, [0], .withoutResponse, priority: .stop)
    }
}

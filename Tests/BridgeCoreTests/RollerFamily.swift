import Bluetooth
import DeviceKit
import JSON

/// A family of devices that roll until told otherwise, with a will that changes as they do.
struct RollerFamily: DeviceFamily {
    static let motor = CharacteristicID(service: 0xBB00, uuid: 0xBB01)
    static let power = CharacteristicID(service: 0xBB00, uuid: 0xBB02)

    let name = "roller"
    let displayName = "Roller"
    let naming = Naming.single
    let requirements = LinkRequirements(required: [motor], optional: [power], isUrgent: true)
    let settings: [Field] = []
    let features = [
        Feature(
            "roll", "Rolls for a time.",
            command: Command(
                [Field("duration_ms", .integer(0...5000), unit: "ms", required: true, "For how long.")],
                shorthands: [.field("duration_ms")], traits: [.latest, .fleeting, .hazardous],
                example: 500)),
        Feature("arm", "Lets it roll.", command: Command([], empty: [:], example: [:])),
        Feature("spin", "Arms it and lets it spin.", command: Command([], empty: [:], example: [:])),
        Feature("stop", "Stops it.", command: Command([], empty: [:], traits: .stop, example: [:])),
    ]

    func recognises(_ advertisement: Advertisement) -> Bool {
        advertisement.name?.hasPrefix("roller") ?? false
    }

    func makeMachine(_ context: DeviceContext) -> any DeviceMachine { RollerMachine() }
}

/// The behaviour of a roller.
struct RollerMachine: DeviceMachine {
    private var deadline: Duration?
    private var isLinked = false

    var will: Will {
        guard isLinked else { return .none }
        return Will(
            writes: [Write(RollerFamily.motor, [0], .withoutResponse), Write(RollerFamily.power, [0])],
            deadline: deadline, deadlineWrites: [Write(RollerFamily.motor, [0], .withoutResponse)])
    }

    mutating func handle(_ input: Input, at now: Duration, effects: inout Effects) {
        switch input {
        case .connected:
            isLinked = true
            effects.append(.ready)
        case .disconnected: (isLinked, deadline) = (false, nil)
        case .command(let id, "roll", let arguments):
            let time = Duration.milliseconds(arguments.integer("duration_ms") ?? 0)
            deadline = now + time
            effects.write(RollerFamily.motor, [1], .withoutResponse)
            effects.startTimer("end", after: time)
            effects.answer(id, .ok)
        case .command(let id, "stop", _):
            halt(&effects)
            effects.answer(id, .ok)
        case .command(let id, "spin", _):
            effects.write(RollerFamily.power, [1], priority: .ahead)
            effects.write(RollerFamily.motor, [2], .withoutResponse)
            effects.answer(id, .ok)
        case .command(let id, _, _):
            effects.write(RollerFamily.power, [1])
            effects.answer(id, .ok)
        case .timer, .stop: halt(&effects)
        case .close:
            halt(&effects)
            effects.append(.disconnect)
        case .notification, .readCompleted, .writeCompleted, .subscribed, .recalled, .recalling, .latchKept:
            break
        }
    }

    private mutating func halt(_ effects: inout Effects) {
        deadline = nil
        effects.cancelTimer("end")
        effects.write(RollerFamily.motor, [0], .withoutResponse, priority: .stop)
    }
}

import Bluetooth
import DeviceKit
import JSON

/// A family of devices with an emergency stop. Its machine reports all inputs about the stop.
struct LatchFamily: DeviceFamily {
    static let motor = CharacteristicID(service: 0xBC00, uuid: 0xBC01)

    let name = "press"
    let displayName = "Press"
    let naming = Naming.single
    let requirements = LinkRequirements(required: [motor])
    let latching: Latching? = Latching(report: "status", memoryKey: "stopped")
    let settings: [Field] = []
    let features = [
        Feature(
            "status", "Whether it is stopped.",
            report: Report(
                .state, [Field("emergency_stop", .boolean, "Whether it is stopped.")],
                example: ["emergency_stop": false])),
        Feature("heard", "What it was told.", report: Report(.state, .text(0...4000), example: "")),
        Feature(
            "emergency_stop", "Stops it.",
            command: Command([], empty: [:], traits: [.stop, .kept], example: [:])),
        Feature("release", "Releases it.", command: Command([], empty: [:], traits: .kept, example: [:])),
    ]

    func motionLimits(_ settings: Arguments) -> MotionGate.Limits? { MotionGate.Limits() }

    func recognises(_ advertisement: Advertisement) -> Bool {
        advertisement.name?.hasPrefix("press") ?? false
    }

    func makeMachine(_ context: DeviceContext) -> any DeviceMachine { LatchMachine(context) }
}

/// The behavior of a press.
struct LatchMachine: DeviceMachine {
    private var isStopped: Bool
    private var heard: [String]
    private var waiting: [CommandID] = []

    let will = Will.none

    init(_ context: DeviceContext) {
        isStopped = context.latch == .latched
        heard = [context.latch.rawValue]
    }

    mutating func handle(_ input: Input, at now: Duration, effects: inout Effects) {
        switch input {
        case .connected: effects.append(.ready)
        case .disconnected:
            for id in waiting { effects.answer(id, .failed(.deviceOffline, "gone")) }
            waiting = []
        case .command(let id, let feature, _):
            isStopped = feature == "emergency_stop"
            waiting.append(id)
            effects.append(.latch(isStopped))
            effects.write(LatchFamily.motor, [isStopped ? 0 : 1], .withoutResponse, priority: .stop)
        case .latchKept(_, let failure):
            if !waiting.isEmpty {
                effects.answer(waiting.removeFirst(), .ok(["latch": .string(failure ?? "kept")]))
            }
        case .recalled(_, let value):
            heard.append("recalled \(value["emergency_stop"] ?? .null)")
            isStopped = isStopped || value["emergency_stop"] == true
        case .recalling(let isRecalling): heard.append(isRecalling ? "recalling" : "known")
        case .close: effects.append(.disconnect)
        case .advertised, .notification, .readCompleted, .writeCompleted, .subscribed, .timer, .stop,
            .motionBlocked, .cleared, .guardian, .relayed, .settings:
            break
        }
        effects.publish("status", ["emergency_stop": .bool(isStopped)])
        effects.publish("heard", .string(heard.joined(separator: ", ")))
    }
}

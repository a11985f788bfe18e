import Bluetooth
import DeviceKit
import JSON

/// A remote control. The write to its only characteristic is an event.
struct RemoteFamily: DeviceFamily {
    var features: [Feature] = [
        Feature(
            "button", "A button.",
            report: Report(
                .event, [Field("button", .choice(["up", "down"]), "Which.")], example: ["button": "up"]),
            shown: [.happening("Button", by: ["button"], verb: "pressed")])
    ]
    let name = "remote"
    let displayName = "Remote"
    let naming = Naming.single
    var requirements = LinkRequirements(required: [])
    var limits: MotionGate.Limits?
    var settings: [Field] = []

    func recognises(_ advertisement: Advertisement) -> Bool { false }
    func takesFromGroup(_ feature: String, _ arguments: Arguments) -> Bool { true }
    func motionLimits(_ settings: Arguments) -> MotionGate.Limits? { limits }
    func makeMachine(_ context: DeviceContext) -> any DeviceMachine { Machine() }

    private struct Machine: DeviceMachine {
        var will: Will { .none }
        mutating func handle(_ input: Input, at now: Duration, effects: inout Effects) {
            switch input {
            case .connected: effects.append(.ready)
            case .command(_, let button, _): effects.publish("button", ["button": .string(button)])
            default: break
            }
        }
    }
}

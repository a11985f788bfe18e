import Bluetooth
import BridgeTesting
import DeviceKit
import JSON

/// A family of devices that are visited. A visit reads the level, and then ends.
struct VisitedFamily: DeviceFamily {
    let name = "sample"
    let displayName = "Sample sensor"
    let naming = Naming.single
    let requirements = LinkRequirements(required: [SampleFamily.status])
    let settings = [Field("period", .integer(60...3600), default: 600, "The time between two visits.")]
    let features = [
        Feature(
            "level", "A level.", report: Report(.state, .integer(0...255), example: 60),
            command: Command(
                [Field("level", .integer(0...100), required: true, "The level.")],
                shorthands: [.field("level")], example: 60))
    ]
    var revision = ""

    func visiting(_ settings: Arguments) -> Visiting? {
        Visiting(period: .seconds(settings.integer("period") ?? 600), retry: .seconds(100), tries: 3)
    }
    func recognises(_ advertisement: Advertisement) -> Bool { advertisement.name == "sample device" }
    func makeMachine(_ context: DeviceContext) -> any DeviceMachine { Machine() }

    private struct Machine: DeviceMachine {
        var waiting: [CommandID] = []
        let will = Will.none

        mutating func handle(_ input: Input, at now: Duration, effects: inout Effects) {
            switch input {
            case .connected: effects.read(SampleFamily.status)
            case .readCompleted(_, .success(let bytes)):
                effects.append(.ready)
                effects.publish("level", .integer(Int(bytes.first ?? 0)))
                for id in waiting { effects.answer(id, .ok) }
                waiting = []
                effects.append(.disconnect)
            case .readCompleted(_, .failure):
                effects.append(.fail(DeviceFailure(.handshake, "the read failed")))
            case .command(let id, _, _): waiting.append(id)
            case .close: effects.append(.disconnect)
            default: break
            }
        }
    }
}

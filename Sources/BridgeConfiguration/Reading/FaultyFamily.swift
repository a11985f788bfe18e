import Bluetooth
import DeviceKit

/// A placeholder for a family whose device file cannot be used. Its devices keep their names and report the reason why
/// they are offline.
struct FaultyFamily: DeviceFamily {
    let name: String
    /// The problem because of which the device file cannot be used.
    let fault: String?

    var displayName: String { name }
    var naming: Naming { .each }
    var requirements: LinkRequirements { LinkRequirements(required: []) }
    var settings: [Field] { [] }
    var features: [Feature] { [] }
    var revision: String { fault ?? "" }
    var source: FamilySource { .file }

    func takesFromGroup(_ feature: String, _ arguments: Arguments) -> Bool { false }
    func recognises(_ advertisement: Advertisement) -> Bool { false }
    func makeMachine(_ context: DeviceContext) -> any DeviceMachine { Machine() }

    private struct Machine: DeviceMachine {
        var will: Will { .none }
        var isStopCertain: Bool { true }

        mutating func handle(_ input: Input, at now: Duration, effects: inout Effects) {}
        mutating func stageChanged(to stage: LinkStage, at now: Duration, effects: inout Effects) {}
    }
}

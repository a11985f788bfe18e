import Bluetooth
import DeviceKit

/// Stands for a family whose device file cannot be used: its devices keep their names and say why they are away.
struct FaultyFamily: DeviceFamily {
    let name: String
    /// What is wrong with the file.
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

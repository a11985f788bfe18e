import Bluetooth
import BridgeTesting
import DeviceKit
import JSON
import Synchronization

/// The sample family with a counter of the reads of its declarations.
struct CountingFamily: DeviceFamily {
    final class Counter: Sendable {
        private let number = Mutex(0)
        var count: Int { number.withLock { $0 } }
        func add() { number.withLock { $0 += 1 } }
    }

    let counter = Counter()
    private let sample = SampleFamily()

    var name: String { sample.name }
    var displayName: String { sample.displayName }
    let naming = Naming.each
    var requirements: LinkRequirements { sample.requirements }
    var settings: [Field] { sample.settings }
    var features: [Feature] {
        counter.add()
        return sample.features
    }

    func takesFromGroup(_ feature: String, _ arguments: Arguments) -> Bool {
        sample.takesFromGroup(feature, arguments)
    }
    func recognises(_ advertisement: Advertisement) -> Bool { sample.recognises(advertisement) }
    func makeMachine(_ context: DeviceContext) -> any DeviceMachine { sample.makeMachine(context) }
}

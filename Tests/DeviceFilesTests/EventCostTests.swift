import Bluetooth
import DeviceCatalog
import DeviceFiles
import DeviceKit
import JSON
import Testing

/// The CPU time of an event: the machine's work, and the creation of its message as JSON.
///
/// Each result is the minimum of many alternating rounds, so that other programs on the host do not affect it.
@Suite("The cost of an event of a device file", .serialized)
struct EventCostTests {
    /// A notification of a family, either a built-in family or a shipped file.
    struct Event: Sendable, CustomTestStringConvertible {
        let family: String
        let id: CharacteristicID
        let bytes: [UInt8]
        /// The number of messages that the notification causes.
        let messages: Int

        var testDescription: String { "\(family): \(bytes)" }

        init(_ family: String, _ service: UUID, _ uuid: UUID, _ bytes: [UInt8], messages: Int = 1) {
            self.family = family
            id = CharacteristicID(service: service, uuid: uuid)
            self.bytes = bytes
            self.messages = messages
        }
    }

    private static let tap: UUID = "c3ff0001-1d8b-40fd-a56f-c7bd5d0f3370"

    @Test(
        "A message costs at most 1.5 times as much as a built-in family's event of the same size",
        arguments: [
            // Each has four numbers.
            (
                Event(
                    "thingy", "ef680200-9b35-4933-9b10-52ffa9740042", "ef680205-9b35-4933-9b10-52ffa9740042",
                    [10, 0, 20, 0, 40, 0, 75, 0]),
                Event(
                    "tap", tap, "c3ff0006-1d8b-40fd-a56f-c7bd5d0f3370", [0, 1, 0, 2, 0, 3, 0, 0, 0, 1])
            ),
            // Each has a word and a number.
            (
                Event(
                    "thingy", "ef680400-9b35-4933-9b10-52ffa9740042", "ef680402-9b35-4933-9b10-52ffa9740042",
                    [5, 2]),
                Event("tap", tap, "c3ff000a-1d8b-40fd-a56f-c7bd5d0f3370", [2])
            ),
            // A measurement with two states, compared with two taps.
            (
                Event("heart", 0x180D, 0x2A37, [0x06, 0x48], messages: 2),
                Event("tap", tap, "c3ff0005-1d8b-40fd-a56f-c7bd5d0f3370", [5])
            ),
        ])
    func ratio(_ own: Event, _ builtIn: Event) throws {
        var (file, family) = (try Run(own), try Run(builtIn))
        var best = (file: Duration.seconds(9), family: Duration.seconds(9))
        for _ in 0..<Self.rounds {
            best.file = min(best.file, try file.measure())
            best.family = min(best.family, try family.measure())
        }
        let (files, families) = (best.file / Double(own.messages), best.family / Double(builtIn.messages))
        let ratio = files / families
        #expect(ratio < Self.limit, "\(own.testDescription) costs \(ratio) times \(builtIn.testDescription)")
    }

    private static let rounds = 30

    /// Without optimization, the ratio is not meaningful.
    private static let limit: Double = {
        #if DEBUG
        5
        #else
        1.5
        #endif
    }()

    /// A device after its setup.
    private struct Run {
        let sample: Event
        private var machine: any DeviceMachine
        private var now = Duration.zero

        init(_ sample: Event) throws {
            self.sample = sample
            let builtIn = Registry.families.named(sample.family)
            let family: any DeviceFamily =
                if let builtIn { builtIn } else {
                    FileFamily(try ShippedFiles.file("\(sample.family).yaml"))
                }
            var settings = JSON.Object(
                family.settings.compactMap { field in field.default.map { (field.name, $0) } })
            settings["publish_taps"] = true
            machine = family.makeMachine(
                DeviceContext(address: "AA:BB:CC:DD:EE:FF", settings: Arguments(settings)))
            let all = family.requirements.required + family.requirements.optional
            let table = Dictionary(all.map { ($0, [.read, .write, .notify] as CharacteristicProperties) }) {
                first, _ in first
            }
            var memory: [CharacteristicID: [UInt8]] = [:]
            var inputs: [Input] = [
                .connected(LinkProfile(characteristics: table, mtu: 247, isPaired: true, name: "Tap_1"))
            ]
            var isReady = false
            while !inputs.isEmpty {
                for effect in machine.effects(of: inputs.removeFirst()) {
                    if effect == .ready { isReady = true }
                    inputs += family.answers(to: effect, memory: &memory)
                }
            }
            try #require(isReady)
        }

        /// The CPU time of two hundred events.
        mutating func measure() throws -> Duration {
            var effects = Effects()
            var messages = 0
            let begin = computingTime()
            for _ in 0..<200 {
                now += .milliseconds(10)
                effects.removeAll()
                machine.handle(.notification(sample.id, sample.bytes), at: now, effects: &effects)
                for case .publish(_, let value) in effects.list { messages += value.bytes.isEmpty ? 0 : 1 }
            }
            let time = computingTime() - begin
            try #require(messages == 200 * sample.messages)
            return time
        }
    }
}

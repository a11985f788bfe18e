import DeviceCatalog
import DeviceKit
import Haptics
import JSON

/// The payloads of MQTT messages.
extension Parser {
    static let values = [
        Parser(name: "json") { bytes in
            guard let value = try? JSON.Value(parsing: bytes) else { return [] }
            let again = try JSON.Value(parsing: value.bytes)
            // The bytes are compared, not the values: 90.0 is written as 90, a whole number.
            return again.bytes == value.bytes ? [] : ["\(value) comes back as \(again)"]
        },
        // The first byte selects the command.
        Parser(name: "command") { bytes in
            guard let first = bytes.first else { return [] }
            let command = commands[Int(first) % commands.count]
            do throws(CommandError) {
                _ = try command.command.parse(Array(bytes.dropFirst()))
                return []
            } catch {
                return error.message.isEmpty ? ["\(command.name) is refused without a word"] : []
            }
        },
        Parser(name: "haptic") { bytes in
            guard case .object(let object)? = try? JSON.Value(parsing: bytes) else { return [] }
            do throws(HapticsError) {
                if case .play(let performance) = try Order(object) { return broken(performance.timeline) }
                return []
            } catch {
                return error.reason.isEmpty || error.path.isEmpty ? ["refused without a place: \(error)"] : []
            }
        },
    ]

    private static let commands = Registry.families.flatMap { family in
        family.features.compactMap { feature in
            feature.command.map { (name: "\(family.name)/\(feature.name)", command: $0) }
        }
    }

    static func broken(_ timeline: Timeline) -> [String] {
        var complaints: [String] = []
        for step in timeline.steps {
            if !(0...1).contains(step.intensity) { complaints.append("intensity \(step.intensity)") }
            if step.start < .zero || step.length < .zero { complaints.append("a step before the start") }
        }
        if timeline.total < timeline.length { complaints.append("shorter than one pass") }
        return complaints
    }
}

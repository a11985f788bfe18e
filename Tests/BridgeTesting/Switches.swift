package import DeviceKit
import JSON

/// Checks the switches of a command: switching off must never be harder to send than switching on.
package enum Switches {
    /// The forms of off that a sender may choose.
    private static let offs: [JSON.Value] = [
        false, 0, "off", "OFF", "Off", "false", "FALSE", "no", " off ", "off\0",
    ]

    /// Sends off in every form to each Boolean value, also within an object or a list.
    ///
    /// - Returns: The broken rules as sentences; none if all rules hold.
    package static func complaints(_ feature: Feature) -> [String] {
        guard let command = feature.command else { return [] }
        var complaints: [String] = []
        for field in command.fields {
            guard let off = value(field.type, false) else { continue }
            for word in offs {
                let said = value(field.type, word) ?? .null
                let found = try? field.type.check(said, path: field.name, words: command.truthWords)
                if found != off { complaints.append("\(feature.name): \(field.name) is not off by \(said)") }
            }
        }
        return complaints + bareComplaints(feature.name, command)
    }

    private static func bareComplaints(_ feature: String, _ command: Command) -> [String] {
        guard let name = command.shorthands.compactMap(\.bareField?.name).first,
            command.fields.first(where: { $0.name == name })?.type == .boolean
        else { return [] }
        let payloads = offs.map { $0.string ?? $0.description }.flatMap { [$0, $0 + "\0", $0 + "\n"] }
        return payloads.filter { payload in
            (try? command.parse(Array(payload.utf8)).arguments.values[name]) != false
        }.map { "\(feature): \(name) is not off by a bare \(JSON.Value.string($0))" }
    }

    /// Returns a value of a type that contains this Boolean value; nil if the type has none.
    private static func value(_ type: FieldType, _ truth: JSON.Value) -> JSON.Value? {
        switch type {
        case .boolean: return truth
        case .list(let element, let count):
            return value(element, truth).map { .array(Array(repeating: $0, count: max(count.lowerBound, 1))) }
        case .object(let fields):
            guard fields.allSatisfy({ !$0.isRequired || $0.type == .boolean }) else { return nil }
            let members = fields.compactMap { field in value(field.type, truth).map { (field.name, $0) } }
            return members.isEmpty ? nil : .object(JSON.Object(members))
        default: return nil
        }
    }
}

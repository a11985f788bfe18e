import DeviceKit
import JSON
import YAML

extension FileReader {
    func command(_ members: Members) -> CommandEntry? {
        guard let node = members["command"],
            let inner = node.members(["fields", "shorthand", "write", "example"])
        else { return nil }
        if file.connecting == .never {
            node.complain("found command, but the device is never connected; allowed: to leave it out")
        }
        if file.connecting == .visit {
            members.refuse(["lease_ms", "hazardous"], "the bridge leaves the device after each visit")
        }
        let isHazardous = members["hazardous"]?.flag() ?? false
        let fields = inner["fields"].map { commandFields($0) } ?? []
        let context = WriteContext(fields: fields, isCommand: true)
        guard let write = inner.required("write", "a step, or a list of steps") else { return nil }
        let steps = write.oneOrMore(limit: 32).compactMap { self.write($0, context) }
        if steps.isEmpty, findings.problems.isEmpty {
            write.complain("found an empty list; allowed: at least one step")
        }
        var command = CommandEntry(fields.map { $0.narrowed(by: steps) }, steps)
        if let node = inner["shorthand"], !fields.isEmpty {
            command.shorthand = node.choice(fields.map(\.name))
        }
        if fields.isEmpty { inner.refuse(["shorthand"], "there are no fields") }
        command.isLatest = members["latest"]?.flag() ?? false
        command.pace = members["pace_ms"]?.milliseconds(1...60_000)
        command.lease = members["lease_ms"]?.milliseconds(50...86_400_000)
        command.end = members["end"].map { readFinalWrites($0) }
        command.isConfirmed = members["confirm"]?.flag() ?? false
        command.isHazardous = isHazardous
        command.echoes = members["echo"]?.flag() ?? false
        command.isAssumed = findings.version > 1 && !command.echoes && !isHazardous
        if members["end"] != nil, members["lease_ms"] == nil {
            members["end"]?.complain("found end without lease_ms; allowed: both")
        }
        if members["lease_ms"] != nil, command.end == nil, file.stop.isEmpty {
            members["lease_ms"]?.complain(
                "found lease_ms without a write for its end; allowed: with end, or with stop"
            )
        }
        if isHazardous, members["lease_ms"] == nil || file.stop.isEmpty || file.will.isEmpty {
            members["hazardous"]?.complain(
                "found hazardous; allowed: with lease_ms, and with stop and will in the file")
        }
        command.example = example(of: command, inner["example"])
        return command
    }

    /// Checks that a command accepts a payload.
    func check(_ node: Node, of command: CommandEntry) {
        let value = node.json()
        let object = value.object ?? command.shorthand.map { [$0: value] } ?? [:]
        do throws(CommandError) { _ = try command.fields.check(object) } catch {
            node.complain("found \(node.found); \(error.message)")
        }
    }

    private func example(of command: CommandEntry, _ node: Node?) -> JSON.Value {
        if let node {
            check(node, of: command)
            return node.json()
        }
        var object = JSON.Object()
        for field in command.fields where field.isRequired || field.default != nil {
            object[field.name] = field.sample
        }
        object = command.encodable(object)
        if command.isConfirmed { object["confirm"] = true }
        if let shorthand = command.shorthand, !command.isConfirmed, object.keys == [shorthand],
            let value = object[shorthand],
            value.object == nil
        {
            return value
        }
        return .object(object)
    }
}

import Bluetooth
import DeviceKit
import JSON
import YAML

extension FileReader {
    private static let actions = ["notify", "read", "command", "stop", "advance_ms", "disconnect"]

    mutating func readExamples(_ node: Node) {
        for node in node.list(of: "examples", limit: 1000) ?? [] {
            var nodes = node.oneOrMore(limit: 100)
            var device = ExampleEntry.Device()
            if findings.version > 1,
                let node = nodes.first.flatMap({ Members($0, $0.tree.members)["device"] })
            {
                device = exampleDevice(node)
                nodes.removeFirst()
            }
            var example = ExampleEntry(nodes.compactMap { exampleStep($0) })
            example.device = device
            file.examples.append(example)
        }
    }

    private func exampleStep(_ node: Node) -> ExampleEntry.Step? {
        let keys = Self.actions + ["hex", "text", "payload", "publishes", "writes", "error"]
        let added = ["advertise", "answer", "available", "device", "visit"]
        let actions = Self.actions + (findings.version > 1 ? ["advertise", "visit"] : [])
        guard let members = node.members(keys, version2: added), let key = members.exactlyOne(actions),
            let value = members[key],
            let action = action(key, value, members)
        else { return nil }
        var step = ExampleEntry.Step(action, line: node.place.line)
        if let publishes = members["publishes"] {
            for (name, node) in publishes.named("features to what they publish", limit: 64) ?? [] {
                let known =
                    file.features.filter { $0.report != nil }.map(\.name)
                    + (file.haptic == nil ? [] : ["haptic"])
                guard known.contains(name) else {
                    node.complain(
                        "found \(name), which publishes nothing; allowed: \(known.joined(separator: " "))")
                    continue
                }
                // A list means several messages of the feature, unless the feature publishes lists.
                step.publishes += Self.messages(node.json(), file.features.first { $0.name == name }).map {
                    .init(name, $0)
                }
            }
        }
        if let writes = members["writes"] {
            for node in writes.oneOrMore(limit: 64) {
                guard let members = node.members(["to", "hex", "text"]) else { continue }
                let target = characteristic(members.required("to", "the name of a characteristic"))
                if let target, let bytes = bytes(members) { step.writes.append(.init(target, bytes)) }
            }
        }
        if let error = members["error"] {
            let codes = CommandError.Code.allCases.map(\.rawValue)
            step.error = error.choice(codes).flatMap(CommandError.Code.init(rawValue:))
        }
        if let answer = members["answer"] {
            step.answer = answer.json().object
            if step.answer == nil { answer.mismatch(allowed: "a mapping of fields to values") }
        }
        step.isAvailable = members["available"]?.flag()
        members["device"]?.complain("found device; allowed: in the first step, alone")
        return step
    }

    /// Returns the device of an example, for which the file declares only the differences from a device with default
    /// settings.
    private func exampleDevice(_ node: Node) -> ExampleEntry.Device {
        var device = ExampleEntry.Device()
        guard let members = node.members(["address", "settings", "reads"]) else { return device }
        if let node = members["address"] {
            if let address = node.scalar.flatMap({ Address($0[...]) }) {
                device.address = address
            } else {
                node.mismatch(allowed: "an address such as AA:BB:CC:DD:EE:FF")
            }
        }
        if let settings = members["settings"]?.members(file.settings.map(\.field.name)) {
            for field in file.settings.map(\.field) {
                guard let node = settings[field.name] else { continue }
                device.settings[field.name] = Self.fieldValue(node, field.type)
            }
        }
        if let node = members["reads"] { device.reads = reads(node) }
        return device
    }

    private func reads(_ node: Node) -> [Int: [UInt8]] {
        guard let members = node.members(file.characteristics.map(\.name)) else { return [:] }
        var reads: [Int: [UInt8]] = [:]
        for (index, entry) in file.characteristics.enumerated() {
            reads[index] = members[entry.name]?.hex(0...PacketFormat.limit)
        }
        return reads
    }

    private static func messages(_ value: JSON.Value, _ feature: FeatureEntry?) -> [JSON.Value] {
        guard let report = feature?.report, let values = value.array else { return [value] }
        if report.isPlain, case .list? = report.fields.first?.field.type { return [value] }
        return values
    }

    private func bytes(_ members: Members) -> [UInt8]? {
        guard let key = members.exactlyOne(["hex", "text"]), let node = members[key] else { return nil }
        return key == "hex"
            ? node.hex(0...PacketFormat.limit) : node.text(0...PacketFormat.limit).map { Array($0.utf8) }
    }

    private func action(_ key: String, _ node: Node, _ members: Members) -> ExampleEntry.Action? {
        if !["advertise", "notify", "read"].contains(key) {
            members.refuse(["hex", "text"], "the device sends nothing")
        }
        if key != "command" { members.refuse(["payload"], "there is no command") }
        switch key {
        case "advertise", "notify", "read":
            guard let index = characteristic(node), let bytes = bytes(members) else { return nil }
            guard (key == "advertise") == (file.characteristics[index].advertised != nil) else {
                node.complain(
                    "found \(key) of \(file.characteristics[index].name); allowed: advertise of advertised data"
                )
                return nil
            }
            return key == "advertise"
                ? .advertise(index, bytes) : key == "notify" ? .notify(index, bytes) : .read(index, bytes)
        case "command":
            let names =
                file.features.filter { $0.command != nil }.map(\.name)
                + (file.stop.isEmpty ? [] : ["stop"]) + (file.haptic == nil ? [] : ["haptic"])
            guard let name = node.choice(names) else { return nil }
            let payload = members["payload"].map { $0.json() }
            return .command(name, payload: payload.map { $0.string.map { Array($0.utf8) } ?? $0.bytes } ?? [])
        case "visit":
            guard file.visit != nil else {
                node.complain("found visit, but the bridge does not visit the device; allowed: notify read")
                return nil
            }
            return .visit(reads(node))
        case "advance_ms": return node.milliseconds(1...86_400_000).map { .advance($0) }
        default:
            guard let flag = node.flag() else { return nil }
            if !flag { node.mismatch(allowed: "true") }
            return key == "stop" ? .stop : .disconnect
        }
    }
}

import DeviceKit
import JSON
import YAML

extension FileReader {
    mutating func readHaptic(_ node: Node) {
        guard let members = node.members(["feature", "field", "scale", "off", "shortest_ms"]) else { return }
        let commands = file.features.filter { $0.command != nil }
        let feature = members.required("feature", "a feature with a command")?.choice(commands.map(\.name))
        let command = commands.first { $0.name == feature }?.command
        let fields = command?.fields.filter(\.takesStrength) ?? []
        let field = members.required("field", "a field of numbers").flatMap { node in
            command == nil ? nil : node.choice(fields.map(\.name))
        }
        guard let scale = members.required("scale", "[strength 0, strength 1]") else { return }
        let ends = (scale.list(of: "two numbers", limit: 2) ?? []).compactMap { $0.decimal() }
        guard ends.count == 2, ends[0] != ends[1] else {
            if !ends.isEmpty { scale.mismatch(allowed: "[strength 0, strength 1], two numbers that differ") }
            return
        }
        if file.stop.isEmpty || file.will.isEmpty {
            node.complain("found haptic; allowed: with stop and will, so that nothing vibrates indefinitely")
        }
        guard let feature, let field, let entry = fields.first(where: { $0.name == field }) else { return }
        let off = members["off"]?.decimal()
        for (node, value) in [(scale, ends[0]), (scale, ends[1]), (members["off"] ?? scale, off ?? ends[0])] {
            do throws(CommandError) {
                _ = try entry.strengthType.check(value.json, path: field)
            } catch {
                node.complain("found the strength \(value); allowed: \(entry.strengthType.allowed)")
            }
        }
        for other in command?.fields ?? []
        where other.name != field && other.default == nil && other.isRequired {
            members["feature"]?.complain(
                "found \(feature), whose field \(other.name) has no default; allowed: one with defaults for all fields except \(field)"
            )
        }
        if command?.isHazardous ?? false {
            members["feature"]?.complain(
                "found \(feature), which is hazardous; allowed: one that is not hazardous")
        }
        let shortest = members["shortest_ms"]?.milliseconds(1...10_000) ?? HapticEntry.usualShortest
        file.haptic = HapticEntry(
            feature: feature, field: field, silent: off ?? ends[0], weakest: ends[0], full: ends[1],
            shortest: shortest)
    }

    /// Checks conditions that concern several sections of the file.
    func checkWhole(_ root: Node, _ members: Members) {
        var subscribed = Set(
            file.setup.compactMap { if case .subscribe(let index, _) = $0.action { index } else { nil } })
        subscribed.formUnion(
            file.characteristics.indices.filter { file.characteristics[$0].advertised != nil })
        var heard = subscribed
        for step in file.setup { if case .read(let index) = step.action { heard.insert(index) } }
        for entry in file.every { if case .read(let index) = entry.action { heard.insert(index) } }
        for feature in file.features {
            guard let report = feature.report else { continue }
            for source in report.sources {
                let name = file.characteristics[source.characteristic].name
                let place = YAMLTree.Place(line: feature.line, column: 1)
                if !heard.contains(source.characteristic) {
                    findings.complain(
                        place, "features.\(feature.name).from",
                        "found \(name), which is neither subscribed nor read; allowed: one of setup or every")
                } else if report.kind == .event, !subscribed.contains(source.characteristic) {
                    findings.complain(
                        place, "features.\(feature.name).from",
                        "found \(name), which is not subscribed; allowed: for an event, one that setup subscribes"
                    )
                }
            }
        }
        for (step, path) in allWrites {
            let name = file.characteristics[step.characteristic].name
            let place = YAMLTree.Place(line: step.line, column: 1)
            if let wait = step.wait, !subscribed.contains(wait.characteristic) {
                findings.complain(
                    place, path,
                    "found a wait for \(file.characteristics[wait.characteristic].name), which setup does not subscribe; "
                        + "allowed: one that it subscribes")
            }
            if path == "will" || path == "stop", file.characteristics[step.characteristic].isOptional {
                findings.complain(
                    place, path, "found \(name), which is optional; allowed: one that every device has")
            }
        }
        if file.isHazardous || file.haptic != nil, file.goodbye.isEmpty {
            findings.warn(
                root.place, "goodbye",
                "missing, so the bridge writes stop before it disconnects the device cleanly")
        }
        if file.examples.isEmpty {
            findings.warn(root.place, "examples", "the file has no examples, so nothing tests it")
        }
    }

    private var allWrites: [(WriteStep, String)] {
        var writes = file.setup.compactMap {
            if case .write(let step) = $0.action { (step, "setup") } else { nil }
        }
        for entry in file.every { if case .write(let step) = entry.action { writes.append((step, "every")) } }
        writes +=
            file.goodbye.map { ($0, "goodbye") } + file.will.map { ($0, "will") }
            + file.stop.map { ($0, "stop") }
        for feature in file.features {
            writes += (feature.command?.steps ?? []).map { ($0, "features.\(feature.name).command.write") }
        }
        return writes
    }
}

extension Field {
    /// Whether the field is a number or a list of numbers.
    fileprivate var takesStrength: Bool {
        switch strengthType {
        case .integer, .number: true
        default: false
        }
    }

    /// The type of one strength: of the number, or of the elements of the list.
    var strengthType: FieldType {
        if case .list(let type, _) = type { type } else { type }
    }
}

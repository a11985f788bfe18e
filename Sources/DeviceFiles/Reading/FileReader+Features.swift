import DeviceKit
import JSON
import YAML

extension FileReader {
    private static let reportKeys = [
        "kind", "from", "packet", "line", "big", "exact", "fields", "object", "skip", "changed",
        "min_interval_ms",
    ]
    private static let newReportKeys = ["derive", "new_by", "partial", "take"]
    private static let commandKeys = [
        "command", "latest", "pace_ms", "lease_ms", "end", "confirm", "hazardous", "echo",
    ]

    mutating func readFeatures(_ node: Node) {
        let nodes = node.named("names to features", limit: 64) ?? []
        for (name, node) in nodes {
            checkName(name, node)
            if DeviceFile.refusedFeatures.contains(name) {
                node.complain(
                    "found the name \(name), which is reserved; allowed: any name except \(DeviceFile.refusedFeatures.joined(separator: " "))"
                )
            }
            if let feature = feature(name, node) { file.features.append(feature) }
        }
        for (name, node) in nodes where findings.version > 1 {
            guard let needs = Members(node, node.tree.members)["needs"],
                let index = file.features.firstIndex(where: { $0.name == name })
            else { continue }
            file.features[index].needs = facts(needs)
        }
        if file.features.isEmpty, findings.problems.isEmpty {
            node.complain("found nothing; allowed: at least one feature")
        }
    }

    private func feature(_ name: String, _ node: Node) -> FeatureEntry? {
        let keys = ["summary"] + Self.reportKeys + Self.commandKeys
        guard
            let members = node.members(keys, version2: Self.newReportKeys + ["entity", "needs", "show"])
        else { return nil }
        let summary = members.required("summary", "one sentence")?.text(1...512) ?? ""
        var feature = FeatureEntry(name, summary, line: node.place.line)
        feature.isShown = members["show"]?.flag() ?? true
        if members["command"] != nil {
            feature.command = command(members)
        } else {
            members.refuse(Self.commandKeys, "there is no command")
        }
        if members["from"] != nil {
            feature.report = report(name, members)
            checkEcho(feature, members)
        } else {
            let keys = Self.reportKeys.filter { $0 != "from" && $0 != "object" } + Self.newReportKeys
            members.refuse(keys, "there is no from")
            if let command = feature.command, command.echoes {
                let fields = command.fields.map { ReportField($0.published, look: FieldLook(unit: $0.unit)) }
                feature.report = ReportEntry(.state, [], fields: fields, isObject: isObject(name, members))
                if fields.isEmpty {
                    members["echo"]?.complain(
                        "found echo, but the command has no fields; allowed: fields to publish")
                }
            } else {
                members.refuse(["object"], "nothing is published")
            }
        }
        guard feature.report != nil || feature.command != nil else {
            if members.given(["from", "command"]).isEmpty {
                node.complain(
                    "found neither from nor command; allowed: from with packet or line, a command, or both")
            }
            return nil
        }
        if let entity = members["entity"] { readEntity(entity, &feature) }
        return feature
    }

    /// Checks a command with `echo` whose feature has sources: the command must write to a characteristic that a source
    /// decodes.
    private func checkEcho(_ feature: FeatureEntry, _ members: Members) {
        guard let command = feature.command, command.echoes, let report = feature.report else { return }
        let written = Set(command.steps.map(\.characteristic))
        let names = report.sources.map { file.characteristics[$0.characteristic].name }
        if members["line"] != nil || report.kind == .event {
            members["echo"]?.complain(
                "found echo together with \(members["line"] != nil ? "line" : "kind: event"); "
                    + "allowed: with a state or stream of packets, or without from")
        } else if !report.sources.contains(where: { written.contains($0.characteristic) }) {
            members["echo"]?.complain(
                "found echo, but nothing is written to \(names.joined(separator: " ")); allowed: a write to it"
            )
        }
    }

    private func isObject(_ name: String, _ members: Members) -> Bool {
        members["object"]?.flag() ?? (name == "battery")
    }

    // MARK: Reports

    private func report(_ name: String, _ members: Members) -> ReportEntry? {
        let kinds = ["state", "event", "stream"]
        let kind = members.required("kind", kinds.joined(separator: " "))?.choice(kinds).flatMap(
            Report.Kind.init)
        guard let from = members["from"] else { return nil }
        let looks = members["fields"].map { lineFields($0) } ?? [:]
        var sources: [ReportEntry.Source]
        let isPartial = members["partial"]?.flag() ?? false
        var (rates, bits): ([RateField], Int?) = ([], nil)
        if case .sequence = from.tree.content {
            members.refuse(Self.newReportKeys, "there are several characteristics")
            if kind == .event { from.complain("found a list; allowed: one characteristic for an event") }
            sources = joined(from, members)
        } else {
            guard let index = characteristic(from), let form = form(index, from, members, looks) else {
                return nil
            }
            sources = [ReportEntry.Source(index, form)]
            if case .packet(let packet) = form {
                (rates, bits) = (self.rates(members, packet), sequenceBits(members, packet))
                sources[0].form = .packet(chosen(members, from: packet))
            } else {
                members.refuse(Self.newReportKeys, "there is no packet")
            }
        }
        var fields: [ReportField] = []
        for source in sources {
            for field in source.fields(looks, isPartial: isPartial) + rates.map(\.reportField) {
                if fields.contains(where: { $0.field.name == field.field.name }) {
                    from.complain(
                        "found the field \(field.field.name) of two characteristics; allowed: each name once")
                }
                fields.append(field)
            }
        }
        guard let kind, !sources.isEmpty else { return nil }
        if fields.isEmpty {
            from.complain("found nothing that is published; allowed: at least one field without _")
        }
        let limit = findings.version > 1 ? 256 : 64
        if fields.count > limit { from.complain("found \(fields.count) fields; allowed: at most \(limit)") }
        if kind == .event, let field = fields.first(where: { ["time", "seq"].contains($0.field.name) }) {
            from.complain("found the field \(field.field.name), which every event has; allowed: another name")
        }
        for name in looks.keys.sorted() where !fields.contains(where: { $0.field.name == name }) {
            members["fields"]?.complain(
                "found \(name), which the line does not have; allowed: \(fields.map(\.field.name).joined(separator: " "))"
            )
        }
        var report = ReportEntry(kind, sources, fields: fields, isObject: isObject(name, members))
        (report.isPartial, report.rates, report.sequenceBits) = (isPartial, rates, bits)
        report.onlyChanges = members["changed"]?.flag() ?? false
        report.interval = members["min_interval_ms"]?.milliseconds(1...3_600_000)
        if report.interval != nil, kind != .stream {
            members["min_interval_ms"]?.complain(
                "found min_interval_ms of a \(kind.rawValue); allowed: only with kind: stream")
        }
        if let skip = members["skip"] { report.skipped = skipped(skip, fields) }
        return report
    }

    /// Returns one source for each characteristic, for a report whose values come from several characteristics.
    private func joined(_ from: Node, _ members: Members) -> [ReportEntry.Source] {
        members.refuse(["line", "fields"], "there are several characteristics")
        let nodes = from.list(of: "characteristics", limit: 8) ?? []
        guard let node = members["packet"], case .mapping = node.tree.content else {
            members.node.complain(
                "packet is missing; allowed: a mapping with a packet for each characteristic")
            return []
        }
        guard let packets = node.members(nodes.compactMap(\.scalar)) else { return [] }
        var sources: [ReportEntry.Source] = []
        for node in nodes {
            guard let index = characteristic(node), let name = node.scalar else { continue }
            if sources.contains(where: { $0.characteristic == index }) {
                node.complain("found \(name) twice; allowed: once")
            }
            guard let packet = packets.required(name, "a list of items") else { continue }
            if file.characteristics[index].lines != nil {
                node.complain("found \(name), which delivers lines; allowed: one that does not")
            }
            var reader = PacketReader(.reading)
            if let packet = reader.packet(packet, beside: members) {
                sources.append(.init(index, .packet(packet)))
            }
        }
        return sources
    }

    private func form(
        _ index: Int, _ from: Node, _ members: Members, _ looks: [String: LineField]
    ) -> ReportEntry.Source.Form? {
        let name = file.characteristics[index].name
        guard let key = members.exactlyOne(["packet", "line"]), let node = members[key] else { return nil }
        let hasLines = file.characteristics[index].lines != nil
        if key == "line" {
            if !hasLines {
                node.complain(
                    "found line, but \(name) has no lines; allowed: packet, or lines on the characteristic")
            }
            members.refuse(["big", "exact"], "there is no packet")
            return linePattern(node, looks.mapValues(\.limits)).map { .line($0) }
        }
        if hasLines { node.complain("found packet, but \(name) delivers lines; allowed: line") }
        members.refuse(["fields"], "the items of a packet describe it")
        return packet(node, beside: members).map { .packet($0) }
    }

    /// The properties that the file declares for a value in a line.
    struct LineField {
        var look: FieldLook
        var limits: LinePattern.Limits
    }

    private func lineFields(_ node: Node) -> [String: LineField] {
        var fields: [String: LineField] = [:]
        for (name, node) in node.named("names of the line to their descriptions", limit: 64) ?? [] {
            let keys = ["minimum", "maximum", "values", "unknown"] + PacketReader.looks
            guard let members = node.members(keys) else { continue }
            let reader = PacketReader(.reading)
            var limits = LinePattern.Limits()
            reader.readLimits(members, &limits.minimum, &limits.maximum)
            var number = NumberField(NumberType(.signed, width: 8))
            (number.words, number.unknown) = reader.words(members, number.type.range)
            if !number.words.isEmpty {
                members.refuse(["minimum", "maximum"], "its values are words")
                limits.words = number
            }
            fields[name] = LineField(look: reader.look(members), limits: limits)
        }
        return fields
    }

    private func skipped(_ node: Node, _ fields: [ReportField]) -> [String: [JSON.Value]] {
        guard let members = node.members(fields.map(\.field.name)) else { return [:] }
        var skipped: [String: [JSON.Value]] = [:]
        for field in fields.map(\.field) {
            // Values that are skipped for `temperature` are also skipped for its other occurrences in a packet, such as
            // `temperature_2`.
            let first = TaggedField.first(of: field.name)
            guard let value = members[field.name] ?? first.flatMap({ members[$0] }) else { continue }
            skipped[field.name] = value.oneOrMore(limit: 64).compactMap { node in
                field.isNullable && node.tree.isNull ? .null : Self.fieldValue(node, field.type)
            }
        }
        return skipped
    }
}

extension ReportEntry.Source {
    /// Returns the fields that a line pattern publishes.
    func fields(_ looks: [String: FileReader.LineField], isPartial: Bool) -> [ReportField] {
        switch form {
        case .packet(let packet): return packet.reportFields(isPartial: isPartial)
        case .line(let pattern):
            return pattern.parts.compactMap { part in
                guard case .capture(let name, let kind) = part, !name.hasPrefix("_") else { return nil }
                let look = looks[name]?.look ?? FieldLook()
                let summary = "\(look.title ?? FieldLook.title(of: name))."
                return ReportField(
                    Field(name, kind.fieldType(pattern.limits[name]), unit: look.unit, summary), look: look)
            }
        }
    }
}

import DeviceKit

/// The answers of a control point, a characteristic that answers each write, as the file declares them.
struct ControlPoint {
    /// The index of the characteristic on which the answers arrive.
    var source: Int
    /// The members of the mapping under the key `answers`.
    var members: Members
    /// The items of an answer that reports success.
    var packet: Node
    var refusal: PacketFormat?
}

// Reads the answers of control points, and the facts on which features and setup steps depend.
extension FileReader {
    /// The default time limit for the answer to a write.
    private static let usualAnswer = Duration.seconds(3)

    mutating func readControlPoints(_ nodes: [(name: String, node: Node)]) {
        for (name, node) in nodes {
            guard let answers = Members(node, node.tree.members)["answers"],
                let index = file.characteristics.firstIndex(where: { $0.name == name }),
                let members = answers.members(["from", "packet", "refused", "within_ms", "big"]),
                let packet = members.required("packet", "the items of an answer that reports success")
            else { continue }
            guard let source = members["from"].map({ characteristic($0) }) ?? index else { continue }
            let point = ControlPoint(
                source: source, members: members, packet: packet,
                refusal: members["refused"].flatMap { refusal($0) })
            // This call only checks the items. They are read again for each write, together with the items of the
            // write's own `answer`.
            if wait(point, within: nil, answer: nil) != nil { controlPoints[index] = point }
        }
    }

    /// Returns the wait for an answer that follows a write to a control point; nil if the characteristic is not a
    /// control point.
    func answer(of index: Int, _ members: Members, _ context: WriteContext) -> WaitEntry? {
        guard context.takesTime else { return nil }
        let isWanted = members["answers"]?.flag() ?? true
        guard isWanted, members["wait"] == nil, let point = controlPoints[index] else {
            members.refuse(["answer", "within_ms"], "no answers of the characteristic apply")
            return nil
        }
        return wait(point, within: members["within_ms"], answer: members["answer"])
    }

    private func wait(_ point: ControlPoint, within: Node?, answer: Node?) -> WaitEntry? {
        var reader = PacketReader(.reading)
        reader.isAnswer = true
        guard let packet = reader.packet(point.packet, beside: point.members, after: answer) else {
            return nil
        }
        let limit = (within ?? point.members["within_ms"])?.milliseconds(1...60_000) ?? Self.usualAnswer
        var entry = WaitEntry(from: point.source, .packet(packet), limit: limit)
        entry.refusal = point.refusal
        return entry
    }

    // MARK: Facts

    /// Returns facts: tests of settings and of fields of states.
    func facts(_ node: Node) -> [Fact] {
        var known: [(name: String, subject: Fact.Subject, field: Field)] = file.settings.map {
            ("settings.\($0.field.name)", .setting($0.field.name), $0.field)
        }
        for (index, feature) in file.features.enumerated() where feature.report?.kind == .state {
            known += (feature.report?.fields ?? []).map {
                ("\(feature.name).\($0.field.name)", .field(index, $0.field.name), $0.field)
            }
        }
        guard let members = node.members(known.map(\.name)) else { return [] }
        return known.compactMap { name, subject, field in
            members[name].flatMap { Self.fieldTest($0, field) }.map { Fact(subject, $0) }
        }
    }

    mutating func readInfo(_ node: Node) {
        guard let members = node.members(["manufacturer", "model"]) else { return }
        file.info = DeviceInfo(
            manufacturer: members["manufacturer"]?.text(1...128), model: members["model"]?.text(1...128))
    }
}

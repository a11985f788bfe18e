import Bluetooth
import DeviceKit
import YAML

/// The allowed contents of a write, which depend on the section of the file.
struct WriteContext {
    /// The fields of the command; empty in other sections.
    var fields: [Field] = []
    /// Whether a wait, a read or a pause may follow the write.
    var takesTime = true
    /// Whether the write belongs to a command, so that a condition on the command's fields is allowed.
    var isCommand = false
}

extension FileReader {
    private static let contents = ["packet", "text", "hex"]

    /// Reads the writes of a stop, a will or a goodbye, which have no fields and are not followed by a wait, a read or
    /// a pause.
    func readFinalWrites(_ node: Node) -> [WriteStep] {
        node.oneOrMore(limit: 16).compactMap { write($0, WriteContext(takesTime: false)) }
    }

    /// Reads one write; returns nil after a problem was reported.
    func write(_ node: Node, _ context: WriteContext) -> WriteStep? {
        var keys = ["to", "packet", "text", "hex", "big", "with", "split"]
        if context.takesTime { keys += ["wait", "read_back", "wait_ms"] }
        if context.isCommand { keys.append("if") }
        let isRead = context.isCommand && Members(node, node.tree.members)["read"] != nil
        if isRead, findings.version > 1 { return readStep(node, context) }
        var added = context.takesTime ? ["answer", "answers", "within_ms"] : []
        if context.isCommand { added.append("read") }
        guard let members = node.members(keys, version2: added) else { return nil }
        let target = characteristic(members.required("to", "the name of a characteristic"))
        let content = content(members, context)
        var step = WriteStep(to: target ?? 0, content ?? .bytes([]), line: node.place.line)
        step.kind = members["with"]?.choice(["request", "command"]).map {
            $0 == "command" ? .withoutResponse : .withResponse
        }
        step.wait =
            members["wait"].flatMap { wait($0) } ?? target.flatMap { answer(of: $0, members, context) }
        step.readsBack = members["read_back"]?.flag() ?? false
        step.pause = members["wait_ms"]?.milliseconds(1...60_000)
        step.splits = members["split"]?.flag() ?? false
        if let condition = members["if"] { step.condition = fieldCondition(condition, context.fields) }
        if step.readsBack, step.splits {
            node.complain("found read_back and split; allowed: one of the two")
        }
        guard target != nil, content != nil else { return nil }
        return step
    }

    private func content(_ members: Members, _ context: WriteContext) -> WriteStep.Content? {
        guard let key = members.exactlyOne(Self.contents), let node = members[key] else { return nil }
        if key != "packet" { members.refuse(["big"], "there is no packet") }
        switch key {
        case "hex": return node.hex().map { .bytes($0) }
        case "text": return template(node, context.fields).map { .text($0) }
        default:
            var reader = PacketReader(.writing(context.fields, isCommand: context.isCommand))
            reader.countsWrites = context.takesTime
            return reader.packet(node, beside: members).map { .packet($0) }
        }
    }

    private func wait(_ node: Node) -> WaitEntry? {
        let targets = ["hex", "contains", "packet"]
        let keys = ["from", "within_ms", "fail", "big", "exact"] + targets
        guard let members = node.members(keys, version2: ["answer", "refused"]) else { return nil }
        let source = characteristic(members.required("from", "the name of a characteristic"))
        var target: WaitEntry.Target?
        let given = members.given(targets)
        if given.count > 1 {
            node.complain(
                "found \(given.joined(separator: " and ")); allowed: one of \(targets.joined(separator: " "))"
            )
        }
        if given.first != "packet" { members.refuse(["big", "exact"], "there is no packet") }
        if let key = given.first, let value = members[key] {
            switch key {
            case "hex": target = pattern(value).map { .bytes($0) }
            case "contains": target = value.text(1...64).map { .text(Array($0.utf8)) }
            default:
                var reader = PacketReader(.reading)
                reader.isAnswer = true
                target = reader.packet(value, beside: members, after: members["answer"]).map { .packet($0) }
            }
            guard target != nil else { return nil }
        }
        let limit = members["within_ms"]?.milliseconds(1...60_000) ?? WaitEntry.usualLimit
        let failure = members["fail"]?.text(1...64).map { Glob($0) }
        if given.first != "packet" { members.refuse(["answer"], "there is no packet") }
        let refusal = members["refused"].flatMap { self.refusal($0) }
        guard let source else { return nil }
        var entry = WaitEntry(from: source, target, failure: failure, limit: limit)
        entry.refusal = refusal
        return entry
    }

    /// Reads the items of a notification that reports a refused write; returns nil after a problem was reported.
    func refusal(_ node: Node) -> PacketFormat? {
        var reader = PacketReader(.reading)
        reader.isAnswer = true
        return reader.packet(node, beside: Members(node, []))
    }

    /// Reads a step of a command that reads a value from the device.
    private func readStep(_ node: Node, _ context: WriteContext) -> WriteStep? {
        guard let members = node.members(["read", "answer", "if", "wait_ms"]),
            let index = characteristic(members["read"])
        else { return nil }
        var packet: PacketFormat?
        if let answer = members["answer"] {
            var reader = PacketReader(.reading)
            packet = reader.packet(answer, beside: Members(node, []))
        }
        var step = WriteStep(to: index, .read(packet), line: node.place.line)
        step.pause = members["wait_ms"]?.milliseconds(1...60_000)
        if let condition = members["if"] { step.condition = fieldCondition(condition, context.fields) }
        return step
    }

    // MARK: Setup and repetitions

    mutating func readSetup(_ node: Node) {
        for node in node.list(of: "steps: subscribe, read or write", limit: 32) ?? [] {
            let keys = ["subscribe", "else_read_s", "read", "write"]
            guard let members = node.members(keys, version2: ["if"]),
                let key = members.exactlyOne(["subscribe", "read", "write"]), let value = members[key]
            else { continue }
            if key != "subscribe" { members.refuse(["else_read_s"], "nothing is subscribed") }
            let action: SetupStep.Action? =
                switch key {
                case "subscribe":
                    characteristic(value).map { index in
                        .subscribe(
                            index, elseRead: members["else_read_s"]?.integer(1...86_400).map { .seconds($0) })
                    }
                case "read": characteristic(value).map { .read($0) }
                default: write(value, WriteContext()).map { .write($0) }
                }
            let needs = members["if"].map { facts($0) } ?? []
            if let action { file.setup.append(SetupStep(action, needs: needs, line: node.place.line)) }
        }
    }

    mutating func readEvery(_ node: Node) {
        for node in node.list(of: "mappings with seconds, and read or write", limit: 16) ?? [] {
            guard let members = node.members(["seconds", "read", "write"]) else { continue }
            let period = members.required("seconds", "a whole number")?.integer(1...86_400)
            guard let key = members.exactlyOne(["read", "write"]), let value = members[key] else { continue }
            let action: Repetition.Action? =
                key == "read"
                ? characteristic(value).map { .read($0) }
                : write(value, WriteContext(takesTime: false)).map { .write($0) }
            if let period, let action { file.every.append(Repetition(every: .seconds(period), action)) }
        }
    }
}

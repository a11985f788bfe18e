import DeviceKit
import JSON
import YAML

/// A value of a file together with its path, so that whatever is refused names where it stands.
struct Node {
    let tree: YAMLTree
    let path: String
    let place: YAMLTree.Place
    let findings: Findings

    init(_ tree: YAMLTree, _ path: String, at place: YAMLTree.Place? = nil, _ findings: Findings) {
        self.tree = tree
        self.path = path
        self.place = place ?? tree.place
        self.findings = findings
    }

    func complain(_ message: String) { findings.complain(place, path, message) }

    func mismatch(allowed: String) { complain("found \(found); allowed: \(allowed)") }

    /// What stands here, as an error quotes it.
    var found: String {
        switch tree.content {
        case .sequence: return "a list"
        case .mapping: return "a mapping"
        case .scalar(let text, let isPlain):
            let text = String(decoding: JSON.Value.string(text).bytes.dropFirst().dropLast(), as: UTF8.self)
            let excerpt = text.utf8.count <= 60 ? text : text.prefix(57) + "…"
            if tree.isNull { return "nothing" }
            return isPlain ? excerpt : "the text \"\(excerpt)\""
        }
    }

    /// The scalar as it is written; nil for anything else.
    var scalar: String? {
        guard case .scalar(let text, _) = tree.content, !tree.isNull else { return nil }
        return text
    }

    // MARK: Mappings and lists

    /// The members of a mapping with these keys; nil after a complaint.
    func members(_ known: [String], anyOther: Bool = false) -> Members? {
        guard case .mapping(let members) = tree.content else {
            mismatch(allowed: "a mapping with \(known.joined(separator: " "))")
            return nil
        }
        if !anyOther {
            for member in members where !known.contains(member.key) {
                complain(unknown: member, known)
            }
        }
        return Members(self, members)
    }

    private func complain(unknown member: YAMLTree.Member, _ known: [String]) {
        let question =
            Nearest.word(to: member.key, among: known).map { "did you mean \($0)? Allowed" } ?? "allowed"
        findings.complain(
            member.place, path.isEmpty ? member.key : "\(path).\(member.key)",
            "not known here; \(question): \(known.joined(separator: " "))")
    }

    /// The members of a mapping whose keys the file's author chose; nil after a complaint.
    func named(_ what: String, limit: Int) -> [(name: String, node: Node)]? {
        guard case .mapping(let members) = tree.content else {
            mismatch(allowed: "a mapping of \(what)")
            return nil
        }
        if members.count > limit { complain("found \(members.count); allowed: at most \(limit)") }
        return members.map { member in
            warnOfKey(member)
            return (
                member.key,
                Node(
                    member.value, path.isEmpty ? member.key : "\(path).\(member.key)", at: member.place,
                    findings)
            )
        }
    }

    /// The elements of a list; nil after a complaint.
    func list(of what: String, limit: Int) -> [Node]? {
        guard case .sequence(let elements) = tree.content else {
            mismatch(allowed: "a list of \(what)")
            return nil
        }
        if elements.count > limit { complain("found \(elements.count); allowed: at most \(limit)") }
        return elements.enumerated().map { Node($1, "\(path)[\($0)]", findings) }
    }

    /// The elements of a list, or the one thing that stands here.
    func oneOrMore(limit: Int) -> [Node] {
        guard case .sequence = tree.content else { return [self] }
        return list(of: "these", limit: limit) ?? []
    }

    func warnOfKey(_ member: YAMLTree.Member) {
        guard member.style == .plain, Scalar.changes(member.key) else { return }
        findings.warn(
            member.place, path.isEmpty ? member.key : "\(path).\(member.key)",
            "other readers of YAML take the key \(member.key) for something else; put it in double quotes")
    }
}

/// The members of a mapping by key.
struct Members {
    let node: Node
    let list: [YAMLTree.Member]

    init(_ node: Node, _ members: [YAMLTree.Member]) {
        self.node = node
        list = members
    }

    /// The value of a key; nil where it is not there.
    subscript(key: String) -> Node? {
        list.first { $0.key == key }.map { member in
            let path = node.path.isEmpty ? key : "\(node.path).\(key)"
            // A value on lines of its own is named by them, anything else by its key.
            return Node(member.value, path, at: member.place, node.findings)
        }
    }

    /// The value of a key that must be there.
    func required(_ key: String, _ allowed: String) -> Node? {
        if let value = self[key] { return value }
        node.complain("\(key) is missing; allowed: \(allowed)")
        return nil
    }

    /// Which of some keys are there.
    func given(_ keys: [String]) -> [String] { keys.filter { key in list.contains { $0.key == key } } }

    /// The one of some keys that is there; nil after a complaint.
    func exactlyOne(_ keys: [String]) -> String? {
        let given = given(keys)
        guard given.count == 1 else {
            let found = given.isEmpty ? "nothing of it" : given.joined(separator: " and ")
            node.complain("found \(found); allowed: one of \(keys.joined(separator: " "))")
            return nil
        }
        return given[0]
    }

    /// Complains of keys that mean nothing here.
    func refuse(_ keys: [String], _ reason: String) {
        for key in given(keys) {
            self[key]?.complain("found \(key), but \(reason); allowed: to leave it out")
        }
    }
}

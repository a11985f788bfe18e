import DeviceKit
import JSON
import YAML

/// A value of a device file, with its path and its location in the text, so that problems can name both.
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

    /// The value as error messages quote it.
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

    /// The scalar in its original spelling; nil for an empty value, a list and a mapping.
    var scalar: String? {
        guard case .scalar(let text, _) = tree.content, !tree.isNull else { return nil }
        return text
    }

    // MARK: Mappings and lists

    /// Returns the members of a mapping that may have these keys; nil after a problem was reported.
    ///
    /// - Parameter added: The additional keys that require version 2 of the format.
    func members(_ keys: [String], version2 added: [String] = [], anyOther: Bool = false) -> Members? {
        let known = findings.version > 1 ? keys + added : keys
        guard case .mapping(let members) = tree.content else {
            mismatch(allowed: "a mapping with \(known.joined(separator: " "))")
            return nil
        }
        if !anyOther {
            for member in members where !known.contains(member.key) {
                complain(unknown: member, known, isTooNew: added.contains(member.key))
            }
        }
        return Members(self, members)
    }

    private func complain(unknown member: YAMLTree.Member, _ known: [String], isTooNew: Bool) {
        let question =
            Nearest.word(to: member.key, among: known).map { "did you mean \($0)? Allowed" } ?? "allowed"
        findings.complain(
            member.place, path.isEmpty ? member.key : "\(path).\(member.key)",
            isTooNew
                ? Findings.needsVersion2(member.key)
                : "not known here; \(question): \(known.joined(separator: " "))")
    }

    /// Returns the members of a mapping whose keys the author of the file chooses; nil after a problem was reported.
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

    /// Returns the elements of a list; nil after a problem was reported.
    func list(of what: String, limit: Int) -> [Node]? {
        guard case .sequence(let elements) = tree.content else {
            mismatch(allowed: "a list of \(what)")
            return nil
        }
        if elements.count > limit { complain("found \(elements.count); allowed: at most \(limit)") }
        return elements.enumerated().map { Node($1, "\(path)[\($0)]", findings) }
    }

    /// Returns the elements of a list; for any other value, an array that contains only this value.
    func oneOrMore(limit: Int) -> [Node] {
        guard case .sequence = tree.content else { return [self] }
        return list(of: "these", limit: limit) ?? []
    }

    func warnOfKey(_ member: YAMLTree.Member) {
        guard member.style == .plain, Scalar.changes(member.key) else { return }
        findings.warn(
            member.place, path.isEmpty ? member.key : "\(path).\(member.key)",
            "other YAML parsers interpret the key \(member.key) differently; put it in double quotes")
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

    /// The value of a key; nil if the key is absent.
    subscript(key: String) -> Node? {
        list.first { $0.key == key }.map { member in
            let path = node.path.isEmpty ? key : "\(node.path).\(key)"
            // A problem of this value is reported at the position of its key.
            return Node(member.value, path, at: member.place, node.findings)
        }
    }

    /// Returns the value of a required key; nil after a problem was reported.
    func required(_ key: String, _ allowed: String) -> Node? {
        if let value = self[key] { return value }
        node.complain("\(key) is missing; allowed: \(allowed)")
        return nil
    }

    /// Returns the given keys that are present in the mapping.
    func given(_ keys: [String]) -> [String] { keys.filter { key in list.contains { $0.key == key } } }

    /// Returns the given key that is present. If none or several are present, reports a problem and returns nil.
    func exactlyOne(_ keys: [String]) -> String? {
        let given = given(keys)
        guard given.count == 1 else {
            let found = given.isEmpty ? "none of them" : given.joined(separator: " and ")
            node.complain("found \(found); allowed: one of \(keys.joined(separator: " "))")
            return nil
        }
        return given[0]
    }

    /// Reports a problem for each given key that is present, because the key is not allowed here.
    func refuse(_ keys: [String], _ reason: String) {
        for key in given(keys) {
            self[key]?.complain("found \(key), but \(reason); allowed: omit it")
        }
    }
}

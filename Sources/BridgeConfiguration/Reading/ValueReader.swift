import DeviceKit
import JSON
import YAML

/// Reads parts of the YAML tree as declared types, and collects problems.
struct ValueReader {
    /// The file that error messages name if a place contains no file.
    let file: String
    private(set) var problems: [SettingsProblem] = []

    init(file: String) { self.file = file }

    /// Adds a problem at a location in the file.
    mutating func complain(at place: YAMLTree.Place, _ path: String, _ message: String) {
        problems.append(SettingsProblem("\(place.file ?? file):\(place)", path, message))
    }

    /// Reads a value. If the value is invalid, adds a problem and returns nil.
    ///
    /// - Parameter isSecret: Whether the problem must not quote the value.
    mutating func value(
        _ tree: YAMLTree, _ type: FieldType, form: SettingForm? = nil, path: String, isSecret: Bool = false
    ) -> JSON.Value? {
        switch (type, tree.content) {
        case (.any, _): return anything(tree)
        case (.list(let element, let count), .sequence(let elements)):
            guard count.contains(elements.count) else {
                complain(at: tree.place, path, "found \(elements.count) values; allowed: \(type.allowed)")
                return nil
            }
            let values = elements.enumerated().map { index, tree in
                value(tree, element, form: form, path: "\(path)[\(index)]", isSecret: isSecret)
            }
            return values.contains(nil) ? nil : .array(values.compactMap(\.self))
        case (.object(let fields), .mapping(let members)):
            return object(members, fields, at: tree.place, path: path).map { .object($0) }
        case (.map(let element), .mapping(let members)):
            var object = JSON.Object()
            for member in members {
                guard let value = value(member.value, element, path: "\(path).\(member.key)") else {
                    return nil
                }
                object[member.key] = value
            }
            return .object(object)
        case (.list(let element, _), .scalar(let text, let isPlain))
        where !isSecret && !tree.isNull
            && (try? Scalar.value(text, isPlain: isPlain, as: element, form: form)) != nil:
            complain(at: tree.place, path, "found \(text); allowed: a list such as [\(text)]")
            return nil
        case (.list, _), (.object, _), (.map, _), (_, .sequence), (_, .mapping):
            let found = isSecret ? "" : "found \(tree.kind); "
            complain(at: tree.place, path, "\(found)allowed: \(form?.allowed ?? type.allowed)")
            return nil
        case (_, .scalar(let text, let isPlain)):
            do {
                return try Scalar.value(text, isPlain: isPlain, as: type, form: form, isSecret: isSecret)
            } catch {
                complain(at: tree.place, path, error.message)
                return nil
            }
        }
    }

    /// Reads the members of a mapping. An empty value has no members. If the value is not a mapping, adds a problem and
    /// returns nil.
    mutating func members(_ tree: YAMLTree, path: String, allowed: String) -> [YAMLTree.Member]? {
        if tree.isNull { return [] }
        guard case .mapping(let members) = tree.content else {
            complain(at: tree.place, path, "found \(tree.kind); allowed: \(allowed)")
            return nil
        }
        return members
    }

    /// Adds a problem about an unknown key.
    ///
    /// - Parameter elsewhere: Paths where the key is valid.
    mutating func complain(
        unknown member: YAMLTree.Member, path: String, known: [String], elsewhere: [String] = []
    ) {
        let near = Nearest.word(to: member.key, among: known) ?? elsewhere.first
        let question = near.map { "did you mean \($0)? Allowed" } ?? "allowed"
        complain(
            at: member.place, path, "not known here; \(question): \(known.joined(separator: " "))")
    }

    private mutating func object(
        _ members: [YAMLTree.Member], _ fields: [Field], at place: YAMLTree.Place, path: String
    ) -> JSON.Object? {
        let count = problems.count
        var object = JSON.Object()
        for member in members {
            let path = "\(path).\(member.key)"
            guard let field = fields.first(where: { $0.name == member.key }) else {
                complain(unknown: member, path: path, known: fields.map(\.name))
                continue
            }
            if member.value.isNull {
                if field.isNullable { object[field.name] = .null }
                continue
            }
            object[field.name] = value(member.value, field.type, path: path, isSecret: field.isSecret)
        }
        for field in fields where object[field.name] == nil {
            object[field.name] = field.default
            if field.isRequired, field.default == nil, count == problems.count {
                complain(at: place, path, "\(field.name) is missing; allowed: \(field.type.allowed)")
            }
        }
        return count == problems.count ? object : nil
    }

    private func anything(_ tree: YAMLTree) -> JSON.Value {
        switch tree.content {
        case .scalar(let text, let isPlain): isPlain ? Scalar.plain(text) : .string(text)
        case .sequence(let elements): .array(elements.map(anything))
        case .mapping(let members): .object(JSON.Object(members.map { ($0.key, anything($0.value)) }))
        }
    }
}

extension YAMLTree {
    /// The kind of the value for users: `nothing`, `a list`, `a mapping`, or the text itself.
    package var kind: String {
        switch content {
        case .scalar(let text, _): isNull ? "nothing" : text
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}

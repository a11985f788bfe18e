import Glibc
import VirtualDevices
import Yams

/// Reads scenario files.
enum ScenarioFile {
    static func read(path: String) throws(ScenarioError) -> Scenario {
        guard let text = TextFile.read(path) else {
            throw ScenarioError(
                .unreadable, file: path, line: nil, key: "",
                message: "the file cannot be read: \(String(cString: strerror(errno)))")
        }
        return try read(text: text, file: path)
    }

    static func read(text: String, file: String) throws(ScenarioError) -> Scenario {
        let node: Node?
        do {
            node = try Yams.compose(yaml: text)
        } catch {
            throw ScenarioError(
                .unreadable, file: file, line: Self.line(of: error), key: "",
                message: "this is not YAML: \(Self.problem(of: error))")
        }
        return try Scenario(node.map { ScenarioNode($0, below: 1) }, file: file)
    }

    private static func line(of error: any Error) -> Int? {
        switch error as? YamlError {
        case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _): mark.line
        case .duplicatedKeysInMapping(_, let context): context.mark.line
        default: nil
        }
    }

    private static func problem(of error: any Error) -> String {
        switch error as? YamlError {
        case .scanner(_, let problem, _, _), .parser(_, let problem, _, _), .composer(_, let problem, _, _):
            problem
        case .duplicatedKeysInMapping(let keys, _): "the same key twice: \(keys)"
        default: String(describing: error)
        }
    }
}

extension ScenarioNode {
    /// Takes over what the YAML reader saw; a node without a place stands below the one before.
    init(_ node: Node, below line: Int) {
        let line = node.mark?.line ?? line
        switch node {
        case .scalar(let scalar):
            let isPlain = scalar.style == .plain || scalar.style == .any
            let isNothing = isPlain && ["~", "null"].contains(scalar.string)
            self.init(line: line, .scalar(isNothing ? "" : scalar.string))
        case .sequence(let sequence):
            self.init(line: line, .sequence(sequence.map { ScenarioNode($0, below: line) }))
        case .mapping(let mapping):
            let entries = mapping.map { key, value in
                let keyLine = key.mark?.line ?? line
                return Entry(key: key.string ?? "", line: keyLine, value: ScenarioNode(value, below: keyLine))
            }
            self.init(line: line, .mapping(entries))
        case .alias(let alias):
            self.init(line: line, .scalar("*\(alias.anchor.rawValue)"))
        }
    }
}

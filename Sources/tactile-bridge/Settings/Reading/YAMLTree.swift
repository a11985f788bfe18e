import Yams

/// A YAML text as a tree in which everything knows its line: what the settings are read from.
///
/// Built on Yams' nodes instead of its decoder, which knows neither lines nor more than one error; and with its
/// resolver switched off: what a word means is decided by the setting's type, so that `5` can be a version, a
/// number or a name.
struct YAMLTree: Sendable {
    /// A place in the text, counted from 1.
    struct Place: Hashable, Sendable, CustomStringConvertible {
        var line: Int
        var column: Int
        var description: String { "\(line):\(column)" }
    }

    /// One key of a mapping and its value.
    struct Member: Sendable {
        var key: String
        var place: Place
        var value: YAMLTree
    }

    /// What stands at a place.
    enum Content: Sendable {
        /// A text; plain if it has no quotes around it.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLTree])
        case mapping([Member])
    }

    /// Says why a text is not YAML as it is taken here.
    struct Failure: Error {
        var place: Place
        var message: String
    }

    let place: Place
    let content: Content

    /// How many values a text may have, aliases counted each time: a bound against texts made to explode.
    private static let maximumCount = 100_000

    /// Reads one document; an empty text is an empty scalar.
    init(_ text: String) throws(Failure) {
        do {
            let node = try Yams.compose(yaml: text, .basic, .default, .utf8)
            var count = 0
            guard let node else {
                self.init(Place(line: 1, column: 1), .scalar("", isPlain: true))
                return
            }
            self = try Self.convert(node, &count)
        } catch let error as YamlError {
            throw Self.failure(error)
        } catch let error as Failure {
            throw error
        } catch {
            throw Failure(place: Place(line: 1, column: 1), message: "\(error)")
        }
    }

    private init(_ place: Place, _ content: Content) {
        self.place = place
        self.content = content
    }

    /// Whether nothing is said: an empty value, `~` or `null`, without quotes.
    var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// The elements of a sequence; none of anything else.
    var elements: [YAMLTree] {
        guard case .sequence(let elements) = content else { return [] }
        return elements
    }

    private static func convert(_ node: Node, _ count: inout Int) throws(Failure) -> YAMLTree {
        let place = node.mark.map { Place(line: $0.line, column: $0.column) } ?? Place(line: 1, column: 1)
        count += 1
        guard count <= maximumCount else {
            throw Failure(place: place, message: "more than \(maximumCount) values")
        }
        switch node {
        case .scalar(let scalar):
            return YAMLTree(place, .scalar(scalar.string, isPlain: scalar.style == .plain))
        case .sequence(let sequence):
            var elements: [YAMLTree] = []
            for element in sequence { elements.append(try convert(element, &count)) }
            return YAMLTree(place, .sequence(elements))
        case .mapping(let mapping):
            var members: [Member] = []
            for (key, value) in mapping {
                let key = try convert(key, &count)
                guard case .scalar(let name, _) = key.content else {
                    throw Failure(place: key.place, message: "a key that is not a word")
                }
                members.append(Member(key: name, place: key.place, value: try convert(value, &count)))
            }
            return YAMLTree(place, .mapping(members))
        case .alias:
            throw Failure(place: place, message: "an alias to nothing")
        }
    }

    /// What Yams says, without its habit of quoting the whole text, in which secrets could stand.
    private static func failure(_ error: YamlError) -> Failure {
        func at(_ mark: Mark, _ message: String) -> Failure {
            Failure(place: Place(line: mark.line, column: mark.column), message: message)
        }
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let circumstance = context.map { "\($0.text) (line \($0.mark.line)), " } ?? ""
            return at(mark, "not valid YAML: \(circumstance)\(problem)")
        case .duplicatedKeysInMapping(let keys, let context):
            return at(
                context.mark,
                "the key \(keys.joined(separator: ", ")) stands more than once; allowed: each key once")
        case .reader(let problem, _, _, _):
            return Failure(place: Place(line: 1, column: 1), message: "not valid YAML: \(problem)")
        default:
            return Failure(place: Place(line: 1, column: 1), message: "not valid YAML")
        }
    }
}

public import JSON

/// Declares the command of a feature as values of a type.
public struct Taking<Value: Sendable>: Sendable {
    /// A short form of the payload that clients can send in place of the complete JSON object.
    public enum Shorthand: Sendable {
        /// The payload is only the value of this key.
        case field(any PartialKeyPath<Value> & Sendable)
        /// The payload is only the value of this key. The other keys of the command are set as in the given `Value`.
        case completed(any PartialKeyPath<Value> & Sendable, Value)
        /// The payload is this word, which stands for a complete command with this `Value`.
        case word(String, Value)
    }

    /// A rule about several keys.
    public indirect enum Rule: Sendable {
        /// At most one of these keys may be given.
        case atMostOne([any PartialKeyPath<Value> & Sendable])
        /// One of these keys must be given, and only one.
        case exactlyOne([any PartialKeyPath<Value> & Sendable])
        /// At least one of these keys must be given.
        case atLeastOne([any PartialKeyPath<Value> & Sendable])
        /// All of these keys must be given.
        case requires([any PartialKeyPath<Value> & Sendable])
        /// None of these keys may be given.
        case excludes([any PartialKeyPath<Value> & Sendable])
        /// At least one of these keys must have the value.
        case anyIs([any PartialKeyPath<Value> & Sendable], JSON.Value)
        /// The rule applies if the key is given.
        case given(any PartialKeyPath<Value> & Sendable, Rule)
        /// The rule applies if the key has one of these values, given or by default.
        case when(any PartialKeyPath<Value> & Sendable, is: [JSON.Value], Rule)
        /// The rule applies if the key has a value, given or by default, that is not one of these.
        case unless(any PartialKeyPath<Value> & Sendable, is: [JSON.Value], Rule)

        fileprivate func named(_ fields: [TakenField<Value>]) -> Command.Rule {
            switch self {
            case .atMostOne(let paths): .atMostOne(paths.map { fields.name($0) })
            case .exactlyOne(let paths): .exactlyOne(paths.map { fields.name($0) })
            case .atLeastOne(let paths): .atLeastOne(paths.map { fields.name($0) })
            case .requires(let paths): .requires(paths.map { fields.name($0) })
            case .excludes(let paths): .excludes(paths.map { fields.name($0) })
            case .anyIs(let paths, let value): .anyIs(paths.map { fields.name($0) }, value)
            case .given(let path, let rule): .given(fields.name(path), rule.named(fields))
            case .when(let path, let values, let rule):
                .when(fields.name(path), is: values, rule.named(fields))
            case .unless(let path, let values, let rule):
                .unless(fields.name(path), is: values, rule.named(fields))
            }
        }
    }

    /// An example of a payload.
    public enum Example: Sendable {
        /// The JSON object of this value. It contains only the required keys, the keys that differ from the initial
        /// value, and the keys in `also`.
        case object(Value, also: [any PartialKeyPath<Value> & Sendable] = [])
        /// A bare value that a shorthand allows.
        case bare(JSON.Value)
    }

    let command: Command
    let decode: @Sendable (Arguments) -> Value?
    let fields: [TakenField<Value>]

    /// Declares a command.
    ///
    /// - Parameters:
    ///   - initial: The values for absent keys, which are also the defaults.
    ///   - fields: The keys, in order.
    ///   - shorthands: The payloads that can replace the object.
    ///   - empty: The value that an empty payload stands for; nil if an empty payload is refused.
    ///   - rules: Rules about several keys.
    ///   - traits: How the command is queued and delivered.
    ///   - answers: The additional fields of a successful answer.
    ///   - example: An example of a payload.
    ///   - rest: A payload that makes a hazardous device stand still.
    @inlinable
    public init(
        _ initial: Value, _ fields: [TakenField<Value>], shorthands: [Shorthand] = [],
        empty: Value? = nil, rules: [Rule] = [], traits: Command.Traits = [], answers: [Field] = [],
        example: Example, rest: Example? = nil
    ) {
        // The closure is created in this inlinable initializer, so the compiler specializes it for the value type in
        // the module that declares the command.
        self.init(
            initial, fields, shorthands, empty, rules, traits, answers, example, rest,
            decode: { fields.value($0.values, initial) })
    }

    @usableFromInline
    init(
        _ initial: Value, _ fields: [TakenField<Value>], _ shorthands: [Shorthand], _ empty: Value?,
        _ rules: [Rule], _ traits: Command.Traits, _ answers: [Field], _ example: Example, _ rest: Example?,
        decode: @escaping @Sendable (Arguments) -> Value?
    ) {
        func object(_ value: Value, _ paths: [PartialKeyPath<Value>] = []) -> JSON.Object {
            fields.difference(value, from: initial, also: paths)
        }
        func payload(_ example: Example) -> JSON.Value {
            switch example {
            case .object(let value, let paths): .object(object(value, paths))
            case .bare(let value): value
            }
        }
        command = Command(
            fields.map { $0.declaration(initial) },
            shorthands: shorthands.map { shorthand in
                switch shorthand {
                case .field(let path): .field(fields.name(path))
                case .completed(let path, let value): .completed(fields.name(path), object(value))
                case .word(let word, let value): .word(word, object(value))
                }
            },
            empty: empty.map { object($0) },
            rules: rules.map { $0.named(fields) }, traits: traits, answers: answers,
            example: payload(example), rest: rest.map(payload))
        self.decode = decode
        self.fields = fields
    }

    /// Returns the name of the key that sets a part of the value.
    func name(_ path: PartialKeyPath<Value>) -> String { fields.name(path) }
}

/// The value of a command without arguments.
public struct NoArguments: Hashable, Sendable {
    /// Creates the value.
    public init() {}
}

extension Taking where Value == NoArguments {
    /// Declares a command without arguments, whose payload can be empty.
    public static func nothing(traits: Command.Traits = [], answers: [Field] = []) -> Self {
        Self(NoArguments(), [], empty: NoArguments(), traits: traits, answers: answers, example: .bare([:]))
    }
}

/// The value of a command with one argument.
public struct OneArgument<Part: Sendable>: Sendable {
    /// The only argument of the command.
    public var value: Part

    @usableFromInline
    init(value: Part) { self.value = value }
}

extension Taking {
    /// Declares a command with one required key, whose bare value can replace the object.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - initial: Any value. It has no effect, because the key is required.
    ///   - kind: The allowed values.
    ///   - unit: The unit.
    ///   - summary: One sentence for users.
    ///   - words: Words that stand for a value.
    ///   - traits: How the command is queued and delivered.
    ///   - answers: The additional fields of a successful answer.
    ///   - example: An example of a payload.
    ///   - rest: For a hazardous command, a payload that moves nothing.
    @inlinable
    public static func one<Part>(
        _ name: String, _ initial: Part, _ kind: ValueKind<Part>, unit: String? = nil, _ summary: String,
        words: [(String, Part)] = [], traits: Command.Traits = [], answers: [Field] = [],
        example: JSON.Value, rest: JSON.Value? = nil
    ) -> Self where Value == OneArgument<Part> {
        Self(
            OneArgument(value: initial),
            [.field(name, \OneArgument<Part>.value, kind, unit: unit, required: true, summary)],
            shorthands: words.map { .word($0.0, OneArgument(value: $0.1)) } + [.field(\.value)],
            traits: traits, answers: answers, example: .bare(example), rest: rest.map { .bare($0) })
    }
}

public import JSON

/// Declares what a device takes under a feature's name, as values of a type.
public struct Taking<Value: Sendable>: Sendable {
    /// A payload that stands for an object.
    public enum Shorthand: Sendable {
        /// The bare value of this key.
        case field(any PartialKeyPath<Value> & Sendable)
        /// The bare value of this key, beside what this value says of other keys.
        case completed(any PartialKeyPath<Value> & Sendable, Value)
        /// One word, which stands for this value.
        case word(String, Value)
    }

    /// A rule between keys.
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
        /// The rule holds where the key is given.
        case given(any PartialKeyPath<Value> & Sendable, Rule)
        /// The rule holds where the key has one of these values, by itself or by its default.
        case when(any PartialKeyPath<Value> & Sendable, is: [JSON.Value], Rule)
        /// The rule holds where the key has a value, by itself or by its default, that is none of these.
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

    /// A payload to try.
    public enum Example: Sendable {
        /// An object with the keys that differ from the initial value, with those that are required, and with these.
        case object(Value, also: [any PartialKeyPath<Value> & Sendable] = [])
        /// A shorthand.
        case bare(JSON.Value)
    }

    let command: Command
    let decode: @Sendable (Arguments) -> Value?
    let fields: [TakenField<Value>]

    /// Declares a command.
    ///
    /// - Parameters:
    ///   - initial: What holds where keys are left out; from it come the defaults.
    ///   - fields: The keys, in order.
    ///   - shorthands: What may stand instead of the object.
    ///   - empty: What an empty payload stands for; nil refuses it.
    ///   - rules: Rules between keys.
    ///   - traits: How the command behaves in time.
    ///   - answers: What the answer to a success says besides what every answer says.
    ///   - example: A payload to try.
    ///   - rest: A payload by which a device that can hurt a person stands still.
    @inlinable
    public init(
        _ initial: Value, _ fields: [TakenField<Value>], shorthands: [Shorthand] = [],
        empty: Value? = nil, rules: [Rule] = [], traits: Command.Traits = [], answers: [Field] = [],
        example: Example, rest: Example? = nil
    ) {
        // Made here, it is specialised for the value by the module that declares.
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

    /// The name of the key for a part of the value.
    func name(_ path: PartialKeyPath<Value>) -> String { fields.name(path) }
}

/// What a command says that takes no arguments.
public struct NoArguments: Hashable, Sendable {
    /// Makes none.
    public init() {}
}

extension Taking where Value == NoArguments {
    /// Declares a command without arguments, which an empty payload gives.
    public static func nothing(traits: Command.Traits = [], answers: [Field] = []) -> Self {
        Self(NoArguments(), [], empty: NoArguments(), traits: traits, answers: answers, example: .bare([:]))
    }
}

/// What a command says that takes one value.
public struct OneArgument<Part: Sendable>: Sendable {
    /// The value.
    public var value: Part

    @usableFromInline
    init(value: Part) { self.value = value }
}

extension Taking {
    /// Declares a command with one required key, whose bare value may stand instead of the object.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - initial: Any value.
    ///   - kind: What may stand there.
    ///   - unit: Its unit.
    ///   - summary: One sentence for a person.
    ///   - words: Words that stand for a value.
    ///   - traits: How the command behaves in time.
    ///   - answers: What the answer to a success contains besides what every answer contains.
    ///   - example: A payload to try.
    ///   - rest: For a command that can hurt a person: a payload that moves nothing.
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

import BridgeContract
import DeviceKit
import HostTesting
import JSON
import Testing

@testable import Reference

@Suite("The schema of a command agrees with the bridge")
struct ContractMutationTests {
    /// A payload and the bridge's result, for the script that validates it against the schema.
    private struct Line {
        var schema: String
        var payload: String
        var error: CommandError?
        /// Why the schema may reject a payload that the bridge accepts; nil if it may not.
        var excuse: String?

        var json: JSON.Value {
            var object: JSON.Object = [
                "schema": .string(schema), "payload": .string(payload), "accepted": .bool(error == nil),
                "error": .string(error?.description ?? ""),
            ]
            if let excuse { object["excuse"] = .string(excuse) }
            return .object(object)
        }
    }

    private static let count = 40

    @Test(
        "For thousands of changed examples, the schema accepts what the bridge accepts and rejects the rest")
    func mutations() throws {
        var lines: [Line] = []
        var random = Mutation(seed: 20)
        for (name, command) in Self.commands {
            for payload in Self.seeds(command) { lines.append(Self.line(name, command, payload)) }
            for _ in 0..<Self.count {
                let seed = Self.seeds(command).randomElement(using: &random.random) ?? ""
                lines.append(Self.line(name, command, random.change(seed, of: command)))
            }
        }
        #expect(lines.count > 1000)
        let accepted = lines.count { $0.error == nil }
        #expect(accepted > lines.count / 10 && accepted < lines.count * 9 / 10)
        let folder = try TemporaryDirectory()
        let schemas = try folder.write(
            Contract.document(.jsonSchema, ContractTests.families).description, to: "schemas.json")
        let input = lines.map(\.json.description).joined(separator: "\n")
        print(try ContractTests.validate(["verdicts", schemas], input: input))
    }

    /// Every command of every family and every request, by the name of its schema.
    private static var commands: [(String, Command)] {
        var all: [(String, Command)] = []
        for family in ContractTests.families {
            for feature in family.features {
                if let command = feature.command {
                    all.append(("\(family.name)-\(feature.name)-set", command))
                }
            }
        }
        for feature in BridgeFeatures.requests(ContractTests.families) {
            if let command = feature.command { all.append(("bridge-request-\(feature.name)", command)) }
        }
        return all
    }

    /// The declared forms of the command: the example, each shorthand, an empty payload.
    private static func seeds(_ command: Command) -> [String] {
        var seeds = [text(command.example)]
        for shorthand in command.shorthands {
            switch shorthand {
            case .word(let word, let members): seeds += [word, JSON.Value.object(members).description]
            case .field(let name), .completed(let name, _):
                if let value = command.example[name] { seeds.append(text(value)) }
            }
        }
        if let empty = command.empty { seeds += ["", JSON.Value.object(empty).description] }
        if let name = command.shorthands.last?.bareField?.name, command.example.object == nil {
            seeds.append(JSON.Value.object([name: command.example]).description)
        }
        return seeds
    }

    private static func text(_ value: JSON.Value) -> String { value.string ?? value.description }

    private static func line(_ name: String, _ command: Command, _ payload: String) -> Line {
        var line = Line(schema: name, payload: payload)
        do throws(CommandError) {
            _ = try command.parse(Array(payload.utf8))
        } catch {
            line.error = error
        }
        line.excuse = excuse(payload, command)
        return line
    }

    /// The differences that a schema cannot express: a text that looks like another value is a text, and a character
    /// may have several bytes.
    private static func excuse(_ payload: String, _ command: Command) -> String? {
        if !payload.utf8.allSatisfy({ $0 < 0x80 }) { return "bytes of a text" }
        for (name, _) in command.shorthands.compactMap(\.bareField) where !payload.hasPrefix("{") {
            switch command.fields.first(where: { $0.name == name })?.type {
            case .text, .form: return "a bare text"
            default: break
            }
        }
        return nil
    }
}

/// Changes payloads, reproducibly for a seed.
private struct Mutation {
    var random: RandomSource

    init(seed: UInt64) { random = RandomSource(seed: seed) }

    private static let values: [JSON.Value] = [
        .null, true, false, "on", "off", "true", 0, 1, -1, 2, 1.0, 1.5, 0.5, 359, 360, 359.99, 400, 65_536,
        1_000_000_000_000, "", "x", "now", "ä", "\u{7}", "AA:BB:CC:DD:EE:FF", "hall/belt", "a//b",
        .string(String(repeating: "n", count: 300)), [], [1], [1, 2, 3], [:], ["x": 1], ["a", "b"],
        "\"\"", "2026-01-31T12:00:00.000Z", "2026-02-30T12:00:00Z", "2024-02-29T23:59:60+05:30",
        "2023-02-29T00:00:00Z",
    ]

    mutating func change(_ payload: String, of command: Command) -> String {
        guard case .object(var object) = try? JSON.Value(parsing: Array(payload.utf8)),
            Int.random(in: 0..<8, using: &random) > 0
        else {
            let value = bare(command)
            return value.string ?? value.description
        }
        for _ in 0...Int.random(in: 0...1, using: &random) { change(&object, of: command) }
        return JSON.Value.object(object).description
    }

    /// A value instead of the object: mostly valid for the bare key, or nearly so.
    private mutating func bare(_ command: Command) -> JSON.Value {
        for (name, _) in command.shorthands.compactMap(\.bareField) where Bool.random(using: &random) {
            if let field = command.fields.first(where: { $0.name == name }) { return near(field.type) }
        }
        return any()
    }

    private mutating func change(_ object: inout JSON.Object, of command: Command) {
        let fields = command.fields
        switch Int.random(in: 0..<10, using: &random) {
        case 0: if let key = object.keys.randomElement(using: &random) { object[key] = nil }
        case 1: object[["id", "unknown", "expires", "confirm"].randomElement(using: &random) ?? ""] = any()
        case 2: object["expires"] = "2099-01-31T12:00:00.000Z"
        case 3...4: if let field = fields.randomElement(using: &random) { object[field.name] = any() }
        default: if let field = fields.randomElement(using: &random) { object[field.name] = near(field.type) }
        }
    }

    private mutating func any() -> JSON.Value { Self.values.randomElement(using: &random) ?? .null }

    /// A value at a limit of the type or just beyond; sometimes any value.
    private mutating func near(_ type: FieldType) -> JSON.Value {
        let choices: [JSON.Value] =
            switch type {
            case .boolean: [true, false, "on", "off", 1, 0, 1.0, "yes"]
            case .integer(let range):
                [
                    .integer(range.lowerBound), .integer(range.upperBound), .integer(range.lowerBound &- 1),
                    .integer(range.upperBound &+ 1), .number(Double(range.lowerBound)),
                    .number(Double(range.lowerBound) + 0.5),
                ]
            case .number(let range):
                [
                    .number(range.lowerBound), .number(range.upperBound), .number(range.lowerBound - 0.5),
                    .number(range.upperBound + 0.5), .number((range.lowerBound + range.upperBound) / 2),
                ]
            case .angle: [0, 359.9, 360, -0.1, 90]
            case .choice(let words): words.map { .string($0) } + ["other"]
            case .text(let range), .form(_, let range):
                [range.lowerBound, range.upperBound, range.lowerBound - 1, min(range.upperBound, 400) + 1]
                    .flatMap { count -> [JSON.Value] in
                        let count = min(max(count, 0), 400)
                        return [
                            .string(String(repeating: "a", count: count)),
                            .string(String(repeating: "ä", count: count / 2)),
                        ]
                    } + ["AA:BB:CC:DD:EE:FF", "a b", "a\tb", "hall/belt"]
            case .list(let type, let count):
                [
                    .array((0..<count.lowerBound).map { _ in near(type) }),
                    .array((0..<min(count.upperBound, 20)).map { _ in near(type) }),
                    .array((0..<min(count.upperBound + 1, 21)).map { _ in near(type) }), [],
                ]
            case .object(let fields):
                [
                    .object(JSON.Object(fields.map { ($0.name, near($0.type)) })), [:],
                    .object(JSON.Object(fields.dropFirst().map { ($0.name, near($0.type)) })),
                ]
            case .time: ["2026-01-31T12:00:00.000Z", "2026-02-29T00:00:00Z", "2026-01-31", "soon"]
            case .map, .either, .any: Self.values
            }
        return choices.randomElement(using: &random) ?? .null
    }
}

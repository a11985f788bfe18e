import Bluetooth
import BridgeTesting
import DeviceCatalog
import DeviceKit
import JSON
import Testing

/// The contract for every family, whatever its device.
@Suite("Every family follows the contract")
struct FamilyContractTests {
    /// One feature of one family.
    struct Subject: Sendable, CustomTestStringConvertible {
        var family: any DeviceFamily
        var feature: Feature
        var testDescription: String { "\(family.name)/\(feature.name)" }
    }

    private static let subjects = Registry.families.flatMap { family in
        family.features.map { Subject(family: family, feature: $0) }
    }

    /// The sample family tests the contract itself: it follows the contract, except for one command that it never
    /// answers. The lamp is the family from the guide.
    static let families: [any DeviceFamily] = Registry.families + [LampFamily(), SampleFamily()]
    static let registered = Registry.families.map(\.name)
    static let behaving = families.map(\.name)

    /// The topics that the bridge publishes under every device, and the reserved words of topics.
    private static let reserved: Set<String> = [
        "availability", "connection", "last_seen", "features", "info", "result", "set", "bridge", "all",
        "family",
    ]

    private static func isKey(_ name: String) -> Bool {
        name.utf8.first.map { (0x61...0x7A).contains($0) } ?? false
            && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }

    @Test(
        "Names of features are unique words that are not reserved",
        arguments: Registry.families.map(\.name))
    func names(_ name: String) throws {
        let family = try #require(Registry.families.named(name))
        let names = family.features.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Self.reserved.isDisjoint(with: names))
        #expect(names.allSatisfy(Self.isKey))
        #expect(Self.isKey(name) && !Self.reserved.contains(name))
    }

    @Test(
        "A family with private reports names the characteristics with private values, and uses them",
        arguments: Registry.families.map(\.name))
    func privacy(_ name: String) throws {
        let family = try #require(Registry.families.named(name))
        let used = Set(family.requirements.required + family.requirements.optional)
        #expect(family.privateCharacteristics.isSubset(of: used))
        #expect(family.features.contains(where: \.isPrivate) == !family.privateCharacteristics.isEmpty)
    }

    @Test("A feature has a report or a command, and a summary that is a sentence", arguments: subjects)
    func purpose(_ subject: Subject) {
        let feature = subject.feature
        #expect(feature.report != nil || feature.command != nil)
        #expect(feature.summary.hasSuffix(".") && feature.summary.count > 10)
    }

    @Test("Every word for off switches off every switch of every command", arguments: subjects)
    func off(_ subject: Subject) { #expect(Switches.complaints(subject.feature) == []) }

    @Test(
        "A refusal suggests a bare value if possible, and nothing that moves", arguments: subjects)
    func suggestion(_ subject: Subject) throws {
        guard let command = subject.feature.command else { return }
        guard let payload = command.suggestion else {
            #expect(command.traits.contains(.hazardous))
            return
        }
        let text = payload.string ?? payload.description
        let arguments = try command.parse(Array(text.utf8)).arguments
        if command.traits.contains(.hazardous) {
            let demand = subject.family.motionRequest(subject.feature.name, arguments).demand
            #expect(demand == .none || demand == .rest)
        } else if command.shorthands.contains(where: { $0.bareField != nil }) {
            #expect(payload.object == nil, "\(text)")
        }
    }

    @Test(
        "A suggestion is the shortest bare value, otherwise an object with the required keys",
        arguments: [
            ("vibrate", "90"), ("notify", "warning"), ("sound", "stop"), ("orientation", "true"),
            ("device_name", "Left"), ("reset", #"{"parameters":true,"confirm":true}"#),
        ])
    func bareSuggestion(_ feature: String, _ payload: String) throws {
        let belt = try #require(Registry.families.named("belt"))
        let command = try #require(belt.features.first { $0.name == feature }?.command)
        #expect(command.suggestion.map { $0.string ?? $0.description } == payload)
    }

    @Test("The example of a report fits its declaration, with all fields in order", arguments: subjects)
    func report(_ subject: Subject) throws {
        guard let report = subject.feature.report else { return }
        switch report.payload {
        case .plain(let type, _):
            #expect(try type.check(report.example, path: "example") == report.example)
            #expect(report.example.object == nil)
        case .object(let fields):
            try check(fields)
            for example in [report.example] + report.alternatives {
                let object = try #require(example.object)
                #expect(try fields.check(object) == object)
                #expect(object.keys == fields.map(\.name).filter(object.keys.contains))
            }
            let shown = ([report.example] + report.alternatives).flatMap { $0.object?.keys ?? [] }
            #expect(Set(shown) == Set(fields.map(\.name)))
            #expect(fields.allSatisfy { $0.default == nil && !$0.isRequired })
        }
        if report.kind == .event {
            #expect(report.example.object != nil)
            #expect(report.example["time"] == nil && report.example["seq"] == nil)
        }
    }

    @Test("The example of a command is an accepted payload", arguments: subjects)
    func example(_ subject: Subject) throws {
        guard let command = subject.feature.command else { return }
        let text: [UInt8] =
            if case .string(let word) = command.example { Array(word.utf8) } else { command.example.bytes }
        #expect(throws: Never.self) { try command.parse(text) }
    }

    @Test("The fields, defaults, shorthands and rules of a command are consistent", arguments: subjects)
    func command(_ subject: Subject) throws {
        guard let command = subject.feature.command else { return }
        try check(command.fields)
        let names = Set(command.fields.map(\.name))
        #expect(names.isDisjoint(with: ["id", "expires"]))
        for rule in command.rules {
            check(rule, command.fields)
        }
        for shorthand in command.shorthands {
            switch shorthand {
            case .field(let name): #expect(names.contains(name))
            case .completed(let name, let members):
                #expect(names.contains(name) && names.isSuperset(of: members.members.map(\.key)))
            case .word(let word, _): #expect(throws: Never.self) { try command.parse(Array(word.utf8)) }
            }
        }
        if command.empty != nil { #expect(throws: Never.self) { try command.parse([]) } }
        if command.traits.contains(.confirmed) { #expect(names.contains("confirm")) }
        #expect(command.shorthands.filter { $0.bareField != nil }.count <= 1)
    }

    /// Checks that the rule names existing keys, possible values in its conditions, and optional keys in its
    /// requirement.
    private func check(_ rule: Command.Rule, _ fields: [Field]) {
        func has(_ keys: [String]) { #expect(keys.allSatisfy { key in fields.contains { $0.name == key } }) }
        func allows(_ key: String, _ values: [JSON.Value]) {
            has([key])
            guard let field = fields.first(where: { $0.name == key }) else { return }
            for value in values {
                #expect(throws: Never.self) { try field.type.check(value, path: key) }
            }
        }
        switch rule {
        case .atMostOne(let keys), .exactlyOne(let keys), .atLeastOne(let keys), .requires(let keys),
            .excludes(let keys):
            has(keys)
            #expect(fields.allSatisfy { !keys.contains($0.name) || !$0.isRequired })
        case .anyIs(let keys, let value): for key in keys { allows(key, [value]) }
        case .given(let key, let rule):
            has([key])
            check(rule, fields)
        case .when(let key, let values, let rule), .unless(let key, let values, let rule):
            allows(key, values)
            check(rule, fields)
        }
    }

    @Test("The defaults of a family's settings are allowed values", arguments: Registry.families.map(\.name))
    func settings(_ name: String) throws {
        let family = try #require(Registry.families.named(name))
        try check(family.settings)
        #expect(family.settings.allSatisfy { !$0.isRequired })
        #expect(Set(family.settings.map(\.name)).isDisjoint(with: ["family", "address", "name"]))
        #expect(throws: Never.self) { try family.settings.check([:]) }
    }

    /// Checks names, summaries and defaults of fields, including nested fields.
    private func check(_ fields: [Field]) throws {
        #expect(Set(fields.map(\.name)).count == fields.count)
        for field in fields {
            #expect(Self.isKey(field.name) && field.summary.hasSuffix("."))
            if let value = field.default, !(value == .null && field.isNullable) {
                #expect(try field.type.check(value, path: field.name) == value)
            }
            #expect(field.default != .null || field.isNullable)
            #expect(!(field.isRequired && field.default != nil))
            try check(inside: field.type)
        }
    }

    private func check(inside type: FieldType) throws {
        switch type {
        case .object(let fields): try check(fields)
        case .list(let element, _): try check(inside: element)
        case .choice(let words): #expect(!words.isEmpty && Set(words).count == words.count)
        default: break
        }
    }
}

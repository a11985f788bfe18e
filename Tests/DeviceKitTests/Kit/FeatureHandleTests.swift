import DeviceKit
import JSON
import Testing

@Suite("Features with typed reports and commands")
struct FeatureHandleTests {
    enum Tune: String, Named {
        case ring, chirp
    }

    struct Reading: Hashable, Sendable {
        var level = 0.0
        var tune: Tune?
        var detail: Int?
    }

    struct Order: Hashable, Sendable {
        var tune = Tune.ring
        var times = 3
        var delay: Double?
        var loudness: Int? = nil
        var notes: [Int]?
    }

    private static let bell = FeatureHandle(
        "bell", "Rings.",
        says: .state(
            [
                .field("level", \.level, .number(0...100), unit: "%", "The charge."),
                .field("tune", \.tune, .choice, "What rings; null for nothing."),
                .optional("detail", \.detail, .integer(0...9), "A detail."),
            ],
            example: Reading(level: 75.5, tune: .ring), alternatives: [Reading(level: 50, detail: 4)]),
        takes: Taking(
            Order(),
            [
                .field("tune", \.tune, .choice, required: true, "What rings."),
                .field("times", \.times, .integer(1...9), "How often."),
                .field("delay_s", \.delay, .number(0...60), unit: "s", "When."),
                .field(
                    "loudness", \.loudness, .integer(0...10), nullable: true, "How loud; null for as it is."),
                .field("notes", \.notes, .list(.integer(0...127), count: 1...4), "Which notes."),
            ],
            shorthands: [.word("twice", Order(times: 2)), .field(\.tune)],
            rules: [.atMostOne([\.delay, \.notes])], traits: .latest,
            example: .object(Order(tune: .chirp, delay: 1.5), also: [\.times])),
        shown: { keys in
            [
                .reading("Charge", of: keys.said(\.level)),
                .control("Tune", of: Control(keys.taken(\.tune), state: .init(field: keys.said(\.tune)))),
            ]
        })

    private static let silence = FeatureHandle("silence", "Ends it.", takes: .nothing(traits: .stop))
    private static let name = FeatureHandle(
        "name", "Its name.", says: .state(.text(0...20), example: "door"),
        takes: .one("name", "", .text(1...20), "The new name.", words: [("none", "-")], example: "door"))

    @Test("A typed declaration equals the plain declaration")
    func declaration() {
        let plain = Feature(
            "bell", "Rings.",
            report: Report(
                .state,
                [
                    Field("level", .number(0...100), unit: "%", "The charge."),
                    Field(
                        "tune", .choice(["ring", "chirp"]), nullable: true, "What rings; null for nothing."),
                    Field("detail", .integer(0...9), "A detail."),
                ],
                example: ["level": 75.5, "tune": "ring"],
                alternatives: [["level": 50, "tune": nil, "detail": 4]]),
            command: Command(
                [
                    Field("tune", .choice(["ring", "chirp"]), required: true, "What rings."),
                    Field("times", .integer(1...9), default: 3, "How often."),
                    Field("delay_s", .number(0...60), unit: "s", "When."),
                    Field(
                        "loudness", .integer(0...10), default: .null, nullable: true,
                        "How loud; null for as it is."),
                    Field("notes", .list(.integer(0...127), count: 1...4), "Which notes."),
                ],
                shorthands: [.word("twice", ["tune": "ring", "times": 2]), .field("tune")],
                rules: [.atMostOne(["delay_s", "notes"])], traits: .latest,
                example: ["tune": "chirp", "times": 3, "delay_s": 1.5]),
            shown: [
                .reading("Charge", of: "level"),
                .control("Tune", of: Control("tune", state: .init(field: "tune"))),
            ])
        #expect(Self.bell.feature == plain)
        #expect(
            Self.name.feature.command
                == Command(
                    [Field("name", .text(1...20), required: true, "The new name.")],
                    shorthands: [.word("none", ["name": "-"]), .field("name")], example: "door"))
        #expect(Self.silence.feature.command == Command([], empty: [:], traits: .stop, example: [:]))
    }

    @Test(
        "A payload is parsed as a typed value",
        arguments: [
            (#"chirp"#, Order(tune: .chirp)), ("twice", Order(times: 2)),
            (#"{"tune": "ring", "delay_s": 2, "loudness": null}"#, Order(delay: 2)),
            (#"{"tune": "ring", "loudness": 7, "notes": [60, 64]}"#, Order(loudness: 7, notes: [60, 64])),
        ])
    func parse(_ payload: String, _ order: Order) throws {
        let command = try #require(Self.bell.feature.command)
        let arguments = try command.parse(Array(payload.utf8)).arguments
        #expect(try Self.bell.parse(arguments) == order)
    }

    @Test("Arguments that do not fit the declaration are refused")
    func unchecked() {
        for arguments: Arguments in [
            [:], ["tune": 3], ["tune": "ring", "times": "x"], ["tune": "ring", "notes": ["a"]],
        ] {
            #expect(throws: CommandError.unreadable) { try Self.bell.parse(arguments) }
        }
        #expect(throws: Never.self) { try Self.silence.parse([:]) }
    }

    @Test("A published value has null for unknown values and omits optional ones")
    func publish() {
        var effects = Effects()
        Self.bell.publish(Reading(level: 90), &effects)
        Self.bell.publish(Reading(level: 0.5, tune: .chirp, detail: 1), &effects)
        Self.name.publish("shed", &effects)
        #expect(
            effects.list == [
                .publish(feature: "bell", ["level": 90, "tune": nil]),
                .publish(feature: "bell", ["level": 0.5, "tune": "chirp", "detail": 1]),
                .publish(feature: "name", "shed"),
            ])
    }

    @Test("A command is dispatched to the feature with its name")
    func dispatch() {
        func found(_ name: String) -> String {
            switch name {
            case Self.bell: "bell"
            case Self.silence: "silence"
            default: "none"
            }
        }
        #expect(["bell", "silence", "name"].map(found) == ["bell", "silence", "none"])
    }

    @Test("Settings are read as one value; missing keys have the initial value")
    func settings() {
        let settings = SettingsHandle(
            Order(),
            [
                .field("times", \.times, .integer(1...9), "How often."),
                .field("tune", \.tune, .choice, "What."),
            ])
        #expect(settings.fields.map(\.default) == [3, "ring"])
        #expect(settings.parse(["times": 5]) == Order(times: 5) && settings.parse([:]) == Order())
    }
}

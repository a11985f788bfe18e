import DeviceKit
import JSON
import Testing

@Suite("Parsing and checking of command payloads")
struct CommandParseTests {
    private static let command = Command(
        [
            Field("direction", .angle, "Where."),
            Field("motor", .integer(0...15), "Which."),
            Field("speed", .number(0...1), default: 0.5, "How fast."),
            Field("mode", .choice(["app", "wait"]), default: "app", "What."),
            Field("loud", .boolean, default: false, "Whether."),
            Field("count", .integer(1...127), default: .null, nullable: true, "How often."),
            Field("label", .text(1...4), "A name."),
            Field("at", .time, "When."),
            Field("motors", .list(.integer(0...15), count: 1...3), "Which ones."),
            Field(
                "step",
                .object([
                    Field("hz", .number(0...100), required: true, "High."), Field("on", .boolean, "On."),
                ]),
                "A step."),
            Field("free", .any, "Anything."),
        ],
        shorthands: [.word("start", ["mode": "app", "direction": 0]), .field("direction")],
        rules: [
            .atMostOne(["direction", "motor", "motors"]),
            .atLeastOne(["direction", "motor", "motors", "free"]),
        ],
        example: 90)

    private static let defaults: JSON.Object = ["speed": 0.5, "mode": "app", "loud": false, "count": .null]

    private static func parse(_ text: String, _ command: Command = command) throws(CommandError) -> Invocation
    {
        try command.parse(Array(text.utf8))
    }

    @Test("A bare value belongs to the first field with a shorthand that accepts it")
    func several() throws {
        let command = Command(
            [
                Field("seconds", .integer(0...60), default: 9, "How long."),
                Field("address", .form(.address, 17...17), "Which."),
            ],
            shorthands: [.field("seconds"), .field("address")], empty: [:], example: 30)
        #expect(try Self.parse("7", command).arguments.values == ["seconds": 7])
        let address = "AA:BB:CC:00:00:01"
        #expect(
            try Self.parse(address, command).arguments.values == ["seconds": 9, "address": .string(address)])
        let error = #expect(throws: CommandError.self) { try Self.parse("61", command) }
        #expect(error?.message.hasPrefix("seconds") == true)
    }

    @Test("An error for a payload with escaped quotes suggests to remove the backslashes")
    func copied() {
        let error = #expect(throws: CommandError.self) { try Self.parse(#"{\"direction\":90}"#) }
        #expect(error?.message.contains("remove the backslashes") == true)
        let other = #expect(throws: CommandError.self) { try Self.parse("{direction:90}") }
        #expect(other?.message.contains("backslashes") == false)
    }

    @Test("A command line quotes the topic if the shell requires it")
    func lines() {
        #expect(Self.command.line(topic: "belt/mode/set") == "mosquitto_pub -t belt/mode/set -m 90")
        #expect(Self.command.line(topic: "my home/$x/set") == "mosquitto_pub -t 'my home/$x/set' -m 90")
    }

    @Test("A bare value adds the members of its shorthand; an object with the same key does not")
    func completed() throws {
        let command = Command(
            [Field("to", .angle, "Where."), Field("start", .boolean, default: false, "Whether.")],
            shorthands: [.completed("to", ["start": true])], example: 90)
        #expect(try Self.parse("90", command).arguments.values == ["to": 90, "start": true])
        #expect(try Self.parse(#"{"to":90}"#, command).arguments.values == ["to": 90, "start": false])
        #expect(throws: CommandError.self) { try Self.parse("400", command) }
    }

    @Test(
        "Accepted payloads have the expected arguments",
        arguments: [
            ("90", ["direction": 90]), (" 90.5\n", ["direction": 90.5]), ("0", ["direction": 0]),
            ("start", ["direction": 0]), ("360", ["direction": 0]),
            (#"{"direction":360.0}"#, ["direction": 0]),
            (#""start""#, ["direction": 0]),
            (#"{"direction":359.9}"#, ["direction": 359.9]),
            (#"{"motor":4.0}"#, ["motor": 4]), (#"{"motors":[0,8]}"#, ["motors": [0, 8]]),
            (#"{"motor":1,"loud":"on"}"#, ["motor": 1, "loud": true]),
            (#"{"motor":1,"loud":1}"#, ["motor": 1, "loud": true]),
            (#"{"motor":1,"loud":"false"}"#, ["motor": 1, "loud": false]),
            (#"{"motor":1,"loud":0}"#, ["motor": 1]),
            (#"{"motor":1,"count":null}"#, ["motor": 1]),
            (#"{"motor":1,"count":127}"#, ["motor": 1, "count": 127]),
            (#"{"motor":1,"label":"äb"}"#, ["motor": 1, "label": "äb"]),
            (#"{"free":{"a":[1]}}"#, ["free": ["a": [1]]]), (#"{"free":null}"#, ["free": .null]),
            (#"{"motor":1,"step":{"hz":5,"on":"1"}}"#, nil),
            (#"{"motor":1,"step":{"hz":5}}"#, ["motor": 1, "step": ["hz": 5]]),
        ] as [(String, JSON.Object?)])
    func taken(_ text: String, _ members: JSON.Object?) {
        guard let members else {
            let error = #expect(throws: CommandError.self) { try Self.parse(text) }
            #expect(error?.code == .invalidValue)
            return
        }
        var expected = Self.defaults
        for member in members.members { expected[member.key] = member.value }
        let found = try? Self.parse(text).arguments.values
        #expect(found.map { Dictionary($0) } == Dictionary(expected))
    }

    @Test(
        "Invalid payloads are refused with a code and the name of the field",
        arguments: [
            ("", .invalidPayload, "empty"), ("  \n", .invalidPayload, "empty"),
            ("{", .invalidPayload, "JSON"),
            ("{}x", .invalidPayload, "JSON"), ("[1]", .invalidValue, "direction"),
            ("stop", .invalidValue, "direction"),
            (#"{"direction":"x"}"#, .invalidValue, "direction: 0 to 360, got \"x\""),
            (#"{"direction":360.1}"#, .outOfRange, "direction: 0 to 360, got 360.1"),
            (#"{"direction":-0.1}"#, .outOfRange, "direction"),
            (#"{"direction":null}"#, .invalidValue, "direction"),
            (#"{"motor":16}"#, .outOfRange, "motor: a whole number 0...15, got 16"),
            (#"{"motor":1.5}"#, .invalidValue, "motor"), (#"{"motor":1e300}"#, .invalidValue, "motor"),
            (#"{"motor":1,"speed":1.1}"#, .outOfRange, "speed: 0...1, got 1.1"),
            (#"{"motor":1,"speed":true}"#, .invalidValue, "speed"),
            (#"{"motor":1,"mode":"x"}"#, .invalidValue, "one of app wait"),
            (#"{"motor":1,"loud":"loud"}"#, .invalidValue, "loud: true or false"),
            (#"{"motor":1,"loud":2}"#, .invalidValue, "loud"),
            (#"{"motor":1,"count":0}"#, .outOfRange, "count"),
            (#"{"motor":1,"label":""}"#, .outOfRange, "label"),
            (#"{"motor":1,"label":"abcde"}"#, .outOfRange, "label"),
            (#"{"motor":1,"at":"soon"}"#, .invalidValue, "at: a time stamp"),
            (#"{"motors":[]}"#, .outOfRange, "motors: 1...3 values, got 0"),
            (#"{"motors":[1,99]}"#, .outOfRange, "motors[1]"), (#"{"motors":5}"#, .invalidValue, "motors"),
            (#"{"motor":1,"step":{}}"#, .missingField, "step.hz"),
            (#"{"motor":1,"step":{"hz":1,"x":1}}"#, .unknownField, "step.x"),
            (#"{"motor":1,"step":{"hz":101}}"#, .outOfRange, "step.hz"),
            (#"{"motor":1,"strength":1}"#, .unknownField, "strength"),
            (#"{"direction":1,"motor":1}"#, .invalidValue, "at most one of direction motor motors"),
            ("{}", .missingField, "at least one of"), (#"{"motor":1,"motor":2}"#, .invalidPayload, "twice"),
            (#"{"motor":1,"expires":"soon"}"#, .invalidValue, "expires"),
            (#"{"motor":1,"expires":5}"#, .invalidValue, "expires"),
        ] as [(String, CommandError.Code, String)])
    func refused(_ text: String, _ code: CommandError.Code, _ words: String) {
        let error = #expect(throws: CommandError.self) { try Self.parse(text) }
        #expect(error?.code == code)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test("id and expires are accepted in every object and are not arguments")
    func common() throws {
        let invocation = try Self.parse(#"{"id":[1,"x"],"motor":1,"expires":"2026-01-31T12:00:00Z"}"#)
        #expect(invocation.id == [1, "x"])
        #expect(invocation.expires?.description == "2026-01-31T12:00:00.000Z")
        #expect(!invocation.arguments.values.keys.contains("id"))
        #expect(!invocation.arguments.values.keys.contains("expires"))
    }

    @Test("An error message is short even for a very long value")
    func longValue() {
        let long = String(repeating: "x", count: 100_000)
        let error = #expect(throws: CommandError.self) { try Self.parse(#"{"motor":"\#(long)"}"#) }
        #expect((error?.message.utf8.count ?? .max) < 200)
    }

    @Test("An empty payload is accepted if the command declares its meaning")
    func empty() throws {
        let stop = Command(
            [Field("channel", .integer(0...5), "Which.")],
            shorthands: [.word("all", [:]), .field("channel")], empty: [:],
            example: "all")
        for text in ["", "all", "{}", "\"all\""] {
            #expect(try Self.parse(text, stop).arguments.values.isEmpty)
        }
        #expect(try Self.parse("2", stop).arguments.integer("channel") == 2)
    }

    @Test("A text shorthand can look like another value", arguments: ["42", "true", "null", "[1]", "a b"])
    func textShorthand(_ text: String) throws {
        let name = Command(
            [Field("name", .text(1...8), required: true, "It.")], shorthands: [.field("name")], example: "x")
        #expect(try Self.parse(text, name).arguments.text("name") == text)
        #expect(try Self.parse("\"q\"", name).arguments.text("name") == "q")
    }

    @Test("The shorthand of a list field is a bare array")
    func listShorthand() throws {
        let vibrate = Command(
            [Field("durations_ms", .list(.integer(10...2550), count: 1...18), required: true, "On, off.")],
            shorthands: [.field("durations_ms")], example: [500, 100])
        #expect(
            try Self.parse("[500,100,500]", vibrate).arguments.integers("durations_ms") == [500, 100, 500])
        #expect(throws: CommandError.self) { try Self.parse("[500,5]", vibrate) }
    }

    @Test("A command without a shorthand accepts only objects")
    func noShorthand() {
        let plain = Command([Field("a", .boolean, default: true, "It.")], example: [:])
        let error = #expect(throws: CommandError.self) { try Self.parse("true", plain) }
        #expect(error?.code == .invalidPayload)
        #expect(throws: Never.self) { try Self.parse("{}", plain) }
    }

    @Test("A command that cannot be undone requires a confirmation")
    func confirmed() {
        let reset = Command(
            [Field("confirm", .boolean, default: false, "Must be true.")], traits: .confirmed,
            example: ["confirm": true])
        #expect(throws: Never.self) { try Self.parse(#"{"confirm":true}"#, reset) }
        for text in ["{}", #"{"confirm":false}"#] {
            let error = #expect(throws: CommandError.self) { try Self.parse(text, reset) }
            #expect(error?.code == .missingField)
        }
    }

    @Test("The rule exactlyOne refuses zero and several keys")
    func exactlyOne() {
        let command = Command(
            [Field("a", .boolean, "A."), Field("b", .boolean, "B.")], rules: [.exactlyOne(["a", "b"])],
            example: ["a": true])
        #expect(throws: Never.self) { try Self.parse(#"{"b":true}"#, command) }
        #expect(throws: CommandError.self) { try Self.parse("{}", command) }
        #expect(throws: CommandError.self) { try Self.parse(#"{"a":true,"b":true}"#, command) }
    }

    private static let ruled = Command(
        [
            Field("mode", .choice(["wait", "off", "turn"]), default: "wait", "What."),
            Field("confirm", .boolean, default: false, "Must be true to switch it off."),
            Field("angle", .angle, "Where."), Field("speed", .number(0...1), "How fast."),
            Field("name", .form(.ascii, 1...4), "A name."),
        ],
        shorthands: [.field("name")],
        rules: [
            .when("mode", is: ["off"], .anyIs(["confirm"], true)), .given("angle", .requires(["speed"])),
            .unless("mode", is: ["turn"], .excludes(["angle"])),
        ], example: "x")

    @Test(
        "A conditional rule applies if a given value or a default meets its condition",
        arguments: [
            ("{}", nil),
            (#"{"mode":"off"}"#, (.missingField, #"confirm: needs "confirm":true with mode off"#)),
            (#"{"mode":"off","confirm":"on"}"#, nil), (#"{"mode":"turn","angle":9,"speed":1}"#, nil),
            (#"{"mode":"turn","angle":9}"#, (.missingField, "speed: missing when angle is given; 0...1")),
            (#"{"angle":9,"speed":1}"#, (.invalidValue, "angle: not allowed with mode wait")),
            ("42", nil), ("ä", (.invalidValue, "name: printable ASCII")),
            (#"{"confirm":1.0}"#, nil), (#"{"name":"abcde"}"#, (.outOfRange, "1...4 bytes")),
        ] as [(String, (CommandError.Code, String)?)])
    func rules(_ text: String, _ refusal: (code: CommandError.Code, words: String)?) {
        guard let refusal else {
            #expect(throws: Never.self) { try Self.parse(text, Self.ruled) }
            return
        }
        let error = #expect(throws: CommandError.self) { try Self.parse(text, Self.ruled) }
        #expect(error?.code == refusal.code)
        #expect(error?.message.contains(refusal.words) == true, "\(error?.message ?? "")")
    }

    @Test("A rule describes its conditions and its requirement, as JSON and in words")
    func describedRules() {
        let rule = Command.Rule.when(
            "mode", is: ["turn"], .unless("speed", is: [0], .given("angle", .requires(["name"]))))
        #expect(
            JSON.Value.object(rule.object).description
                == #"{"requires":["name"],"given":["angle"],"unless":{"speed":[0]},"when":{"mode":["turn"]}}"#
        )
        #expect(rule.sentence == "with mode turn: with speed other than 0: with angle name")
        #expect(Command.Rule.excludes(["a", "b"]).sentence == "no a, no b")
    }

    @Test("Arguments are read by type")
    func arguments() {
        let arguments: Arguments = ["a": 1, "b": 1.5, "c": "x", "d": true, "e": [1, 2], "f": .null]
        #expect(arguments.integer("a") == 1 && arguments.number("a") == 1)
        #expect(arguments.integer("b") == nil && arguments.number("b") == 1.5)
        #expect(arguments.text("c") == "x" && arguments.flag("d") && !arguments.flag("a"))
        #expect(arguments.integers("e") == [1, 2])
        #expect(arguments.has("a") && !arguments.has("f") && !arguments.has("g"))
    }

    private func Dictionary(_ object: JSON.Object) -> [String: JSON.Value] {
        var result: [String: JSON.Value] = [:]
        for member in object.members { result[member.key] = member.value }
        return result
    }
}

import DeviceKit
import JSON
import Testing

@Suite("The words for truth values")
struct TruthWordsTests {
    private static func command(_ traits: Command.Traits) -> Command {
        Command(
            [
                Field("on", .boolean, required: true, "Whether."),
                Field("more", .object([Field("loud", .boolean, "How.")]), "More."),
                Field("light", .choice(["on", "off"]), "The light."),
            ], shorthands: [.field("on")], traits: traits, example: "on")
    }

    private static func read(_ text: String, _ traits: Command.Traits = []) -> Bool? {
        (try? command(traits).parse(Array(text.utf8)))?.arguments.values["on"]?.bool
    }

    static let offs = [
        "off", "OFF", "Off", " oFF\n", "false", "False", "FALSE", "no", "No", "0", "\"OFF\"", "\" off \"",
        "off\0", "OFF\0", "off\n\0", "false\0", "False\0\0", "0\0", "\"off\\u0000\"", "{\"on\":\"Off\"}",
        "{\"on\":\" FALSE\\t\"}", "{\"on\":0}", "{\"on\":false}\0", "{\"on\":\"no\"}\0",
    ]

    @Test("Every word for off is accepted, for hazardous commands too", arguments: offs)
    func off(_ text: String) {
        #expect(Self.read(text) == false)
        #expect(Self.read(text, .hazardous) == false)
    }

    @Test(
        "On is accepted in any case, but for hazardous commands only as an exact word",
        arguments: [
            ("on", true), ("true", true), ("1", true), ("\"on\"", true), ("{\"on\":\"true\"}", true),
            ("ON", false), ("True", false), ("yes", false), ("\" on\"", false), ("{\"on\":\"On\"}", false),
        ])
    func on(_ text: String, _ isExact: Bool) {
        #expect(Self.read(text) == true)
        #expect(Self.read(text, .hazardous) == (isExact ? true : nil))
    }

    @Test("A refusal names the words for on, and that they must be exact")
    func refused() {
        let error = #expect(throws: CommandError.self) {
            try Self.command(.hazardous).parse(Array("ON".utf8))
        }
        #expect(error?.message == #"on: exactly on, true or 1, or any word for off; got "ON""#)
        let other = #expect(throws: CommandError.self) { try Self.command([]).parse(Array("2".utf8)) }
        #expect(other?.message == "on: true or false, got 2")
    }

    @Test(
        "A word with the zero byte of C never means on",
        arguments: ["on\0", "true\0", "ON\0", "1\0", "{\"on\":true}\0", "\"on\\u0000\""])
    func zero(_ text: String) {
        #expect(Self.read(text) == nil && Self.read(text, .hazardous) == nil)
    }

    @Test(
        "Other values are refused", arguments: ["offf", "2", "-1", "\"0\"", "null", "o ff", "\0", ""])
    func none(_ text: String) {
        #expect(Self.read(text) == nil && Self.read(text, .hazardous) == nil)
    }

    @Test("Nested fields and switches with two words are read in the same way")
    func nested() throws {
        func parse(_ text: String, _ traits: Command.Traits) throws -> JSON.Value {
            .object(try Self.command(traits).parse(Array(text.utf8)).arguments.values)
        }
        let off = #"{"on":"NO","more":{"loud":"Off\u0000"},"light":"OFF "}"#
        for traits in [[], .hazardous] as [Command.Traits] {
            let values = try parse(off, traits)
            #expect(values["more"]?["loud"] == false && values["light"] == "off")
        }
        let on = #"{"on":0,"more":{"loud":"Yes"},"light":"On"}"#
        #expect(try parse(on, [])["more"]?["loud"] == true)
        #expect(throws: CommandError.self) { try parse(on, .hazardous) }
        #expect(throws: CommandError.self) { try parse(#"{"on":0,"light":"On"}"#, .hazardous) }
    }

    @Test("The suggestion for a hazardous switch is off")
    func suggestion() {
        #expect(Self.command([]).suggestion == "on")
        #expect(Self.command(.hazardous).suggestion == "off")
        let object = Command(
            [Field("on", .boolean, required: true, "It."), Field("time", .integer(1...9), "How long.")],
            traits: .hazardous, example: ["on": true, "time": 5])
        #expect(object.suggestion == ["on": false])
        let many = Command(
            [
                Field("modes", .object([Field("tap", .integer(1...9), "Of a TAP.")]), "The modes."),
                Field("immediate", .boolean, default: false, "Now."), Field("confirm", .boolean, "Sure."),
            ], example: ["modes": ["tap": 1], "immediate": true, "confirm": true])
        #expect(many.suggestion == ["modes": ["tap": 1], "confirm": true])
        let roll = Command(
            [Field("time", .integer(1...9), required: true, "How long.")], shorthands: [.field("time")],
            traits: .hazardous, example: 5)
        #expect(roll.suggestion == nil)
    }
}

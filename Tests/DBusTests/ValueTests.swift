import DBus
import Testing

@Suite("Values and types")
struct ValueTests {
    @Test(
        "A type is formatted as in the specification, and parsed again",
        arguments: [
            ("y", ValueType.byte), ("b", .bool), ("n", .int16), ("q", .uint16), ("i", .int32), ("u", .uint32),
            ("x", .int64), ("t", .uint64), ("d", .double), ("s", .string), ("o", .objectPath),
            ("g", .signature), ("h", .descriptor), ("v", .variant), ("ay", .array(.byte)),
            ("a{sv}", .dictionary(.string, .variant)), ("(ib)", .structure([.int32, .bool])),
            ("a{oa{sa{sv}}}", .dictionary(.objectPath, .dictionary(.string, .dictionary(.string, .variant)))),
            ("aa(a{yv}s)", .array(.array(.structure([.dictionary(.byte, .variant), .string])))),
        ])
    func types(text: String, type: ValueType) throws {
        #expect(type.description == text)
        #expect(try ValueType(text) == type)
    }

    @Test(
        "An invalid signature is rejected",
        arguments: [
            "a", "(", ")", "()", "(i", "a{s}", "a{vs}", "a{(i)s}", "a{sv", "{sv}", "z", "i(", "a{svs}", "ä",
            String(repeating: "y", count: 256), String(repeating: "a", count: 33) + "y",
            String(repeating: "(", count: 33) + "y" + String(repeating: ")", count: 33),
        ])
    func badSignatures(text: String) {
        #expect(throws: DBusError.self) { try Signature(text) }
    }

    @Test("A signature may have the maximum length and depth of the specification")
    func deepestSignature() throws {
        let depth = 32
        let text =
            String(repeating: "a", count: depth) + String(repeating: "(", count: depth) + "y"
            + String(repeating: ")", count: depth)
        #expect(try Signature(text).types.count == 1)
        #expect(try Signature(String(repeating: "y", count: 255)).types.count == 255)
    }

    @Test("An object path has a parent, a name and descendants")
    func objectPaths() {
        let path: ObjectPath = "/org/bluez/hci0"
        #expect(path.parent == "/org/bluez")
        #expect(path.name == "hci0")
        #expect(ObjectPath("/org").parent == .root)
        #expect(ObjectPath.root.parent == nil)
        #expect(path.isInside("/org/bluez"))
        #expect(path.isInside(path))
        #expect(path.isInside(.root))
        #expect(!path.isInside("/org/bluez/hci"))
        #expect(!ObjectPath("/org").isInside(path))
        #expect(ObjectPath.root.appending("a").appending("b_1") == "/a/b_1")
    }

    @Test(
        "An invalid object path is rejected", arguments: ["", "a", "/a/", "//", "/a-b", "/ä", "/a\0"])
    func badPaths(text: String) {
        #expect(throws: DBusError.self) { try ObjectPath(text) }
    }

    @Test("Accessors return a value of their type, and nil for other types")
    func accessors() {
        #expect(Value.string("a").string == "a")
        #expect(Value.objectPath("/a").string == nil)
        #expect(Value.byte(7).integer == 7)
        #expect(Value.int16(-7).integer == -7)
        #expect(Value.uint64(.max).integer == nil)
        #expect(Value.double(1).integer == nil)
        #expect(Value.variant(.bool(true)).unwrapped.bool == true)
        #expect(Value.bytes([1, 2]).elements == [.byte(1), .byte(2)])
        #expect(Value.strings(["a", "b"]).strings == ["a", "b"])
        #expect(
            Value.properties(["b": .byte(1), "a": .bool(true)]).properties == [
                "a": .bool(true), "b": .byte(1),
            ])
        #expect(Value.properties([:]).type == "a{sv}")
    }
}

import Bluetooth
import Testing

@Suite("Bluetooth's words as values")
struct ValueTests {
    @Test(
        "Addresses in any case",
        arguments: [
            ("C0:FF:EE:a1:b2:C3", 0xC0FF_EEA1_B2C3, "C0:FF:EE:A1:B2:C3", "a1b2c3"),
            ("00:00:00:00:00:01", 1, "00:00:00:00:00:01", "000001"),
            ("FF:FF:FF:FF:FF:FF", 0xFFFF_FFFF_FFFF, "FF:FF:FF:FF:FF:FF", "ffffff"),
        ] as [(String, UInt64, String, String)])
    func address(_ text: String, _ number: UInt64, _ written: String, _ suffix: String) throws {
        let address = try #require(Address(text))
        #expect(address.number == number)
        #expect(address.description == written)
        #expect(address.suffix == suffix)
        #expect(Address(number: number) == address)
        #expect(Address(address.description) == address)
    }

    @Test(
        "What is not an address",
        arguments: [
            "", "C0:FF:EE:A1:B2", "C0:FF:EE:A1:B2:C3:00", "C0FFEEA1B2C3", "C0-FF-EE-A1-B2-C3",
            "G0:FF:EE:A1:B2:C3",
            "C0:FF:EE:A1:B2:", "C0:FF:EE:A1:B2:C", "C0:FF:EE:A1:B2:0C3", " C0:FF:EE:A1:B2:C3",
            "C0:FF:EE:A1:B2:  ",
            "0:FF:EE:A1:B2:C3C",
        ])
    func noAddress(_ text: String) {
        #expect(Address(text) == nil)
    }

    @Test("An address has 48 bits and an order")
    func addressBits() {
        #expect(Address(number: .max).number == 0xFFFF_FFFF_FFFF)
        #expect(Address(number: 1) < Address(number: 2))
    }

    @Test(
        "A short UUID is its long form",
        arguments: ["FE51", "fe51", "0000FE51", "0000fe51-0000-1000-8000-00805f9b34fb"])
    func shortUUID(_ text: String) throws {
        let uuid = try #require(UUID(text))
        #expect(uuid == 0xFE51)
        #expect(uuid.short == 0xFE51)
        #expect(uuid.description == "0000fe51-0000-1000-8000-00805f9b34fb")
        #expect(UUID(uuid.description) == uuid)
    }

    @Test(
        "A vendor's UUID has no short form",
        arguments: [
            ("65333333-A115-11E2-9E9A-0800200CA100", "65333333-a115-11e2-9e9a-0800200ca100"),
            ("0001FE51-0000-1000-8000-00805F9B34FB", "0001fe51-0000-1000-8000-00805f9b34fb"),
            ("12345678", "12345678-0000-1000-8000-00805f9b34fb"),
        ])
    func longUUID(_ text: String, _ written: String) throws {
        let uuid = try #require(UUID(text))
        #expect(uuid.short == nil)
        #expect(uuid.description == written)
        #expect(UUID(uuid.description) == uuid)
    }

    @Test(
        "What is not a UUID",
        arguments: [
            "", "FE5", "FE511", "xFE5", "65333333A11511E29E9A0800200CA100",
            "65333333-A115-11E2-9E9A-0800200CA10",
            "65333333-A115-11E2-9E9A-0800200CA1000", "6533333-3A115-11E2-9E9A-0800200CA100",
            "65333333-A115-11E2-9E9A-0800200CA10g", "65333333-A115-11E2-9E9A00800200CA100", "FE51 ",
        ])
    func noUUID(_ text: String) {
        #expect(UUID(text) == nil)
    }

    @Test(
        "Hexadecimal bytes",
        arguments: [
            ("", []), ("00", [0]), ("fFa0", [0xFF, 0xA0]), ("01 81 03", [1, 0x81, 3]), (" 01  02 ", [1, 2]),
        ]
            as [(String, [UInt8])])
    func hex(_ text: String, _ bytes: [UInt8]) {
        #expect(Hex.bytes(text) == bytes)
        #expect(Hex.bytes(Hex.string(bytes)) == bytes)
    }

    @Test("What is not hexadecimal", arguments: ["0", "0 1", "0x01", "01,02", "é0"])
    func noHex(_ text: String) {
        #expect(Hex.bytes(text) == nil)
    }

    @Test("Characteristics are named by their short form where they have one")
    func characteristic() {
        #expect(CharacteristicID(service: 0xFE51, uuid: 0xFE03).description == "FE03")
        #expect(
            CharacteristicID(service: 0xFE51, uuid: "65333333-A115-11E2-9E9A-0800200CA100").description
                == "65333333-a115-11e2-9e9a-0800200ca100")
    }
}

/// Which key a TAP types in text mode for each combination of fingers, and the HID report of that key.
enum KeyMap {
    /// The combination of fingers that stands for the Shift key.
    static let shift: UInt8 = 7

    /// The readable name of each combination's key.
    static let names = [
        "", "A", "E", "N", "I", "D", "T", "Shift", "O", "K", "M", "F", "L", "G", "Backspace", "R", "U", "Y",
        "B", "P", "Z", "W", "Q", "J", "S", "Return", "X", "V", "Switch", "C", "H", "Space",
    ]

    /// The HID usage of each combination's key (HID Usage Tables, keyboard page); nil for a combination that switches
    /// the keyboard layer.
    static let usages: [UInt8?] = names.map { name in
        switch name {
        case "Backspace": 0x2A
        case "Return": 0x28
        case "Space": 0x2C
        default: name.utf8.count == 1 ? name.utf8.first.map { $0 - UInt8(ascii: "A") + 4 } : nil
        }
    }

    /// The HID report that releases all keys.
    static let released: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]

    /// The HID report descriptor: a keyboard with modifiers, a reserved byte and six keys (HID 1.11, appendix B.1,
    /// without LEDs).
    static let reportMap: [UInt8] = [
        0x05, 0x01, 0x09, 0x06, 0xA1, 0x01, 0x05, 0x07, 0x19, 0xE0, 0x29, 0xE7, 0x15, 0x00, 0x25, 0x01,
        0x75, 0x01, 0x95, 0x08, 0x81, 0x02, 0x95, 0x01, 0x75, 0x08, 0x81, 0x01, 0x95, 0x06, 0x75, 0x08,
        0x15, 0x00, 0x25, 0x65, 0x05, 0x07, 0x19, 0x00, 0x29, 0x65, 0x81, 0x00, 0xC0,
    ]
}

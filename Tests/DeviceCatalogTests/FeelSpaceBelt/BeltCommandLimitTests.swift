import Testing

@testable import DeviceCatalog

@Suite("Commands at the limits of their fields")
struct BeltCommandLimitTests {
    @Test(
        "The iteration byte is signed; 0 and negative values mean no limit",
        arguments: [
            ("00 02 AA AA 00 00 00 01 01 00 00 80 EE 02 00 00 00 01", nil),
            ("00 02 AA AA 00 00 00 01 01 00 00 7F EE 02 00 00 00 01", 127),
        ] as [(String, UInt8?)])
    func iterations(_ hex: String, _ expected: UInt8?) throws {
        #expect(try #require(BeltChannelConfiguration(bytes(hex))).iterations == expected)
    }

    @Test("Every field of a channel is encoded in its position")
    func fields() {
        let hex = "03 05 64 00 00 00 02 0E 01 00 00 7F D0 07 6C 07 01 01"
        let channel = BeltChannelConfiguration(
            channel: 3, pattern: .doubleLong, intensity: 100, place: .angle(-90), iterations: 127,
            period: 2000, start: 1900, isExclusive: true, clearsOthers: true)
        #expect(channel.bytes == bytes(hex))
        #expect(BeltChannelConfiguration(bytes(hex))?.bytes == bytes(hex))
    }

    @Test("The hertz and milliseconds of a tone become units of 31.25 Hz and 10 ms, truncated")
    func toneUnits() {
        #expect(BeltTone.Step(hertz: 1500, milliseconds: 50) == BeltTone.Step(frequency: 0x30, duration: 5))
        #expect(
            BeltTone.Step(hertz: 7968.75, milliseconds: 2559) == BeltTone.Step(frequency: 255, duration: 255))
        #expect(BeltTone.Step(hertz: 31, milliseconds: 9) == BeltTone.Step(frequency: 0, duration: 0))
    }

    @Test(
        "Degrees select the nearest motor; motors are 22.5° apart",
        arguments: [
            (BeltPlace.angle(78), 0.0, 3), (.angle(79), 0, 4), (.angle(101), 0, 4), (.angle(102), 0, 5),
            (.angle(350), 0, 0), (.angle(348), 0, 15), (.bearing(90), 90, 0), (.bearing(0), 90, 12),
        ])
    func nearestMotor(_ place: BeltPlace, _ heading: Double, _ motor: Int) {
        #expect(place.mask(heading: heading) == 1 << UInt16(motor))
    }
}

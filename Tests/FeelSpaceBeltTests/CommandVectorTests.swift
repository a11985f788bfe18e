import Testing

@testable import FeelSpaceBelt

@Suite("Commands have the bytes of the published libraries")
struct CommandVectorTests {
    private static let requests: [Vector<ParameterRequest>] = [
        Vector("C01", "01 01", .read(.mode)),
        Vector("C02", "01 02", .read(.intensity)),
        Vector("C03", "01 03", .read(.headingOffset)),
        Vector("C04", "10 01 03", .read(.accuracySignal)),
        Vector("C05", "01 81 03 00", .setMode(.app)),
        Vector("C06 pause", "01 81 04 00", .setMode(.pause)),
        Vector("C06 wait", "01 81 01 00", .setMode(.wait)),
        Vector("C07", "01 82 32 00 01", .setIntensity(50, feedback: true)),
        Vector("C08", "01 83 2C 01", .setBasicHeadingOffset(300)),
        Vector("C09", "11 01 01 2D 00", .setHeadingOffset(45, persist: true)),
        Vector("C10 off", "11 03 00 00", .setAccuracySignal(.off, persist: false)),
        Vector("C10 on, stored", "11 03 01 03", .setAccuracySignal(.both, persist: true)),
        Vector("C10 compass only", "11 03 00 01", .setAccuracySignal(.compass, persist: false)),
        Vector("C25 period", "11 0F 00 64 00", .setOrientationPeriod(100)),
        Vector("C25 pairing", "11 25 01 00", .setPairingRequired(false, persist: true)),
        Vector("C25 rename", "01 84 2D 74 65 73 74", .rename(Array("-test".utf8))),
        Vector(
            "C25 reset", "12 01 00 00", .reset(parameters: true, bluetooth: false, sensors: false)),
        Vector("N20 patch", "11 0A 02 E1 00 A0 00 E1 00 01", .setFrontRange(.corrected)),
        Vector("front range", "10 01 0A", .read(.frontRange)),
    ]

    @Test("Parameter requests", arguments: requests)
    func request(_ vector: Vector<ParameterRequest>) {
        #expect(vector.meaning.bytes == bytes(vector.hex))
        #expect(ParameterRequest(bytes(vector.hex)) == vector.meaning)
        #expect(ParameterRequest(bytes(vector.hex).dropLast(vector.meaning.bytes.count)) == nil)
    }

    @Test("A mode request of three bytes is understood as well (C05 of pybelt)")
    func shortModeRequest() {
        #expect(ParameterRequest(bytes("01 81 03")) == .setMode(.app))
    }

    @Test("The answer to a keep-alive (C11)")
    func keepAlive() {
        #expect(KeepAlive.reply == bytes("00"))
    }

    private static func channel(
        _ channel: UInt8, _ pattern: Pattern, _ place: Place, _ iterations: UInt8?, _ period: UInt16,
        intensity: UInt8? = nil, start: UInt16 = 0, exclusive: Bool = false, clear: Bool = false
    ) -> VibrationCommand {
        .configure(
            ChannelConfiguration(
                channel: channel, pattern: pattern, intensity: intensity, place: place,
                iterations: iterations, period: period, start: start, isExclusive: exclusive,
                clearsOthers: clear))
    }

    private static let vibrations: [Vector<VibrationCommand>] = [
        Vector(
            "C12", "02 01 AA AA 00 00 03 5A 00 00 00 00 F4 01 00 00 00 00",
            channel(2, .continuous, .bearing(90), nil, 500)),
        Vector(
            "C13", "01 01 AA AA 00 00 02 0E 01 00 00 00 F4 01 00 00 00 00",
            channel(1, .continuous, .angle(270), nil, 500)),
        Vector(
            "C14", "00 01 AA AA 00 00 03 5A 00 00 00 01 E8 03 00 00 00 00",
            channel(0, .continuous, .bearing(90), 1, 1000)),
        Vector(
            "C15", "02 02 AA AA 00 00 03 2D 00 00 00 00 F4 01 00 00 00 00",
            channel(2, .singleShort, .bearing(45), nil, 500)),
        Vector(
            "C16", "02 03 AA AA 00 00 03 2D 00 00 00 00 EE 02 00 00 00 00",
            channel(2, .singleLong, .bearing(45), nil, 750)),
        Vector(
            "C17", "02 09 AA AA 00 00 01 00 00 00 00 00 88 13 00 00 00 00",
            channel(2, .destinationReached, .motor(0), nil, 5000)),
        Vector(
            "C18", "00 03 AA AA 00 00 02 0E 01 00 00 05 E8 03 00 00 00 01",
            channel(0, .singleLong, .angle(270), 5, 1000, clear: true)),
        Vector(
            "C19", "00 01 AA AA 00 00 03 5A 00 00 00 01 B8 0B 00 00 00 01",
            channel(0, .continuous, .bearing(90), 1, 3000, clear: true)),
        Vector(
            "C20", "00 02 AA AA 00 00 00 01 01 00 00 00 EE 02 00 00 00 01",
            channel(0, .singleShort, .motors(0x0101), nil, 750, clear: true)),
        Vector(
            "C21 critical", "00 03 AA AA 00 00 00 11 11 00 00 03 BC 02 00 00 01 00",
            channel(0, .singleLong, .motors(0x1111), 3, 700, exclusive: true)),
        Vector(
            "C21 operation", "00 06 19 00 00 00 01 00 00 00 00 02 F4 01 00 00 01 00",
            channel(0, .warning, .motor(0), 2, 500, intensity: 25, exclusive: true)),
        Vector("C22 warning", "20 00", .system(.warning)),
        Vector("C22 destination", "20 01", .system(.destinationReached)),
        Vector("C22 battery", "20 02", .system(.battery)),
        Vector("C23 all", "30 FF", .stop(channel: nil)),
        Vector("C23 channel 2", "30 02", .stop(channel: 2)),
        Vector(
            "silence on channel 0", "00 00 00 00 00 00 01 00 00 00 00 01 01 00 00 00 00 00", .noVibration),
        Vector(
            "C24", "40 00 02 5A 00 AA 96 00 03 01 F4 01 DC 05 00 00 00",
            .pulse(
                PulseConfiguration(
                    channel: 0, place: .angle(90), onDuration: 150, pulses: 3, iterations: 1,
                    pulsePeriod: 500, seriesPeriod: 1500, timer: .reset))),
        Vector(
            "edge, iOS", "03 01 3C 00 00 00 02 0E 01 00 00 00 F4 01 00 00 00 01",
            channel(3, .continuous, .angle(-90), nil, 500, intensity: 60, clear: true)),
        Vector(
            "edge, iOS, all parameters", "03 05 64 00 00 00 02 0E 01 00 00 7F D0 07 6C 07 01 01",
            channel(
                3, .doubleLong, .angle(-90), 127, 2000, intensity: 100, start: 1900, exclusive: true,
                clear: true)),
    ]

    @Test("Vibration commands", arguments: vibrations)
    func vibration(_ vector: Vector<VibrationCommand>) {
        #expect(vector.meaning.bytes == bytes(vector.hex))
        #expect(VibrationCommand(bytes(vector.hex))?.bytes == bytes(vector.hex))
        #expect(VibrationCommand(bytes(vector.hex).dropLast()) == nil)
        #expect(VibrationCommand(bytes(vector.hex) + [7, 7])?.bytes == bytes(vector.hex))
    }

    @Test(
        "The iteration byte is signed: 0 and less repeats for ever (C13, C15 to C17, C20 of FSLib-iOS)",
        arguments: [
            ("01 01 AA AA 00 00 02 0E 01 00 00 FF F4 01 00 00 00 00", nil),
            ("01 03 AA AA 00 00 03 2D 00 00 00 FF E8 03 00 00 00 00", nil),
            ("01 03 AA AA 00 00 03 2C 01 00 00 FF EE 02 00 00 00 00", nil),
            ("01 09 AA AA 00 00 01 00 00 00 00 FF 88 13 00 00 00 00", nil),
            ("00 02 AA AA 00 00 00 01 01 00 00 80 EE 02 00 00 00 01", nil),
            ("00 02 AA AA 00 00 00 01 01 00 00 7F EE 02 00 00 00 01", 127),
        ] as [(String, UInt8?)])
    func iterations(_ hex: String, _ expected: UInt8?) throws {
        #expect(try #require(ChannelConfiguration(bytes(hex))).iterations == expected)
    }

    @Test("A motor index of 16 is taken modulo 16 (FSLib-Android sends it)")
    func motorSixteen() {
        #expect(
            ChannelConfiguration(bytes("05 01 32 00 00 00 01 10 00 00 00 00 F4 01 00 00 00 00"))?.place
                == .motor(0))
    }

    @Test(
        "Sounds",
        arguments: [
            Vector("C25", "01 03 30 00 30 05 0A 05", "double_short_beep"),
            Vector("START", "01 03 19 00 20 05 0A 05", "start"),
            Vector("STOP", "01 03 20 00 19 05 0A 05", "stop"),
            Vector("SUCCESS", "01 05 20 00 30 00 40 05 0A 05 0A 05", "success"),
            Vector("ERROR", "01 05 20 00 20 00 20 19 19 19 19 19", "error"),
            Vector("SINGLE_SHORT_BEEP", "01 01 30 05", "single_short_beep"),
            Vector("TRIPLE_SHORT_BEEP", "01 05 30 00 30 00 30 05 0A 05 0A 05", "triple_short_beep"),
            Vector("SINGLE_LONG_BEEP", "01 01 30 19", "single_long_beep"),
            Vector("DOUBLE_LONG_BEEP", "01 03 30 00 30 19 19 19", "double_long_beep"),
            Vector("TRIPLE_LONG_BEEP", "01 05 30 00 30 00 30 19 19 19 19 19", "triple_long_beep"),
        ])
    func sound(_ vector: Vector<String>) throws {
        let tone = try #require(Tone.named.first { $0.name == vector.meaning }).tone
        #expect(tone.bytes == bytes(vector.hex))
        #expect(Tone(bytes(vector.hex)) == tone)
        #expect(Tone(bytes(vector.hex).dropLast()) == nil)
    }

    @Test("A tone's hertz and milliseconds become units of 31.25 Hz and 10 ms, truncated")
    func toneUnits() {
        #expect(Tone.Step(hertz: 1500, milliseconds: 50) == Tone.Step(frequency: 0x30, duration: 5))
        #expect(Tone.Step(hertz: 7968.75, milliseconds: 2559) == Tone.Step(frequency: 255, duration: 255))
        #expect(Tone.Step(hertz: 31, milliseconds: 9) == Tone.Step(frequency: 0, duration: 0))
    }

    @Test(
        "Degrees mean the nearest motor, 22.5 apart",
        arguments: [
            (Place.angle(78), 0.0, 3), (.angle(79), 0, 4), (.angle(101), 0, 4), (.angle(102), 0, 5),
            (.angle(350), 0, 0), (.angle(348), 0, 15), (.bearing(90), 90, 0), (.bearing(0), 90, 12),
        ])
    func nearestMotor(_ place: Place, _ heading: Double, _ motor: Int) {
        #expect(place.mask(heading: heading) == 1 << UInt16(motor))
    }
}

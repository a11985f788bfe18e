import Testing

@testable import FeelSpaceBelt

@Suite("Notifications are read as the published libraries read them")
struct NotificationVectorTests {
    @Test("Keep-alive (N01)")
    func keepAlive() {
        #expect(KeepAlive(bytes("01 03"))?.mode == .app)
        #expect(KeepAlive(.app).bytes == bytes("01 03"))
        #expect(KeepAlive(bytes("01")) == nil)
        #expect(KeepAlive(bytes("01 09 FF")).map { $0.mode == nil } == true)
    }

    @Test(
        "Buttons",
        arguments: [
            Vector("N02", "02 01 00 03 03", ButtonPress(.pause, from: .app, to: .app)),
            Vector("N03", "02 01 00 04 04", ButtonPress(.pause, from: .pause, to: .pause)),
            Vector("N04", "03 01 00 03 02", ButtonPress(.compass, from: .app, to: .compass)),
            Vector("N05", "04 01 00 01 01", ButtonPress(.home, from: .wait, to: .wait)),
            Vector("N06", "01 03 00 01 00", ButtonPress(.power, pressType: 3, from: .wait, to: .standby)),
        ])
    func button(_ vector: Vector<ButtonPress>) {
        #expect(ButtonPress(bytes(vector.hex)) == vector.meaning)
        #expect(vector.meaning.bytes == bytes(vector.hex))
        #expect(ButtonPress(bytes(vector.hex + "FF")) == vector.meaning)
        #expect(ButtonPress(bytes(vector.hex).dropLast()) == nil)
        #expect(vector.meaning.isLong == (vector.name == "N06"))
    }

    @Test("A button or mode that is not known is dropped", arguments: ["05 01 00 03 03", "02 01 00 07 03"])
    func unknownButton(_ hex: String) {
        #expect(ButtonPress(bytes(hex)) == nil)
    }

    @Test(
        "Parameters",
        arguments: [
            Vector("N07", "01 01 03", ParameterNotification(.mode, .mode(.app))),
            Vector("N08", "01 02 37", ParameterNotification(.intensity, .intensity(55))),
            Vector("N09", "10 00 37", ParameterNotification(.extendedIntensity, .intensity(55))),
            Vector("N10", "01 03 2D 00", ParameterNotification(.headingOffset, .headingOffset(45))),
            Vector("N11", "10 01 67 01", ParameterNotification(.extendedHeadingOffset, .headingOffset(359))),
            Vector("N12", "10 03 02", ParameterNotification(.accuracySignal, .accuracySignal(.app))),
            Vector("N13", "10 25 01", ParameterNotification(.pairingRequired, .pairingRequired(true))),
            Vector(
                "N20", "10 0A E1 00 A0 00 2C 01 01",
                ParameterNotification(
                    .frontRange, .frontRange(FrontRange(first: 225, second: 160, app: 300, last: 1)))),
            Vector("C25", "10 0F 64 00", ParameterNotification(.orientationPeriod, .orientationPeriod(100))),
        ])
    func parameter(_ vector: Vector<ParameterNotification>) throws {
        let notification = try #require(ParameterNotification(bytes(vector.hex)))
        #expect(notification == vector.meaning)
        #expect(notification.content != nil)
        #expect(notification.bytes == bytes(vector.hex))
        #expect(ParameterNotification(Array(bytes(vector.hex).prefix(2))) == nil)
    }

    @Test(
        "Values out of range have no meaning",
        arguments: ["01 01 09", "01 02 65", "01 03 68 01", "01 03 01", "10 0A E1 00", "10 77 01", "10 0F 01"])
    func meaningless(_ hex: String) throws {
        #expect(try #require(ParameterNotification(bytes(hex))).content == nil)
    }

    @Test("Parameter 0F of four bytes is the magnetometer's error, of two the period")
    func ambiguousParameter() {
        #expect(
            ParameterNotification(bytes("10 0F 00 00 80 3F"))?.content == .magnetometerError(1))
    }

    @Test(
        "Battery",
        arguments: [
            Vector(
                "N14", "01 80 4B 00 12 38 FF D8 0E",
                BatteryStatus(.battery, level: 75.5, remaining: 25_920, current: -200, voltage: 3800)),
            Vector(
                "N15", "02 00 64 80 02 F4 01 68 10",
                BatteryStatus(.charging, level: 100, remaining: 3600, current: 500, voltage: 4200)),
        ])
    func battery(_ vector: Vector<BatteryStatus>) {
        #expect(BatteryStatus(bytes(vector.hex)) == vector.meaning)
        #expect(vector.meaning.bytes == bytes(vector.hex))
    }

    @Test("Battery: optional fields are ignored, five bytes are enough, four are not (N16)")
    func batteryLengths() {
        let long = bytes("02 00 64 80 02 F4 01 68 10 00 19 00 5F 01 00 32")
        #expect(BatteryStatus(long) == BatteryStatus(Array(long.prefix(9))))
        #expect(BatteryStatus(Array(long.prefix(5)))?.current == nil)
        #expect(BatteryStatus(Array(long.prefix(5)))?.remaining == 3600)
        #expect(BatteryStatus(Array(long.prefix(4))) == nil)
        #expect(BatteryStatus(bytes("04 00 64 80 02 F4 01 68 10")) == nil)
    }

    @Test("Orientation (N17)")
    func orientation() throws {
        let hex = "02 5A 00 2D 00 FE FF 0A 00 05 00 03 03 03 03 00"
        let reading = try #require(OrientationReading(bytes(hex)))
        #expect(reading.heading == 90)
        #expect(reading.boxHeading == 45)
        #expect(reading.roll == -2)
        #expect(reading.pitch == 10)
        #expect(reading.accuracy == 5)
        #expect(reading.isAccurate)
        #expect(reading.bytes == bytes(hex))
        #expect(OrientationReading(bytes(hex).dropLast()) == nil)
    }

    @Test("Orientation, inaccurate and negative (N18)")
    func inaccurateOrientation() throws {
        let hex = "02 A6 FF 79 FF FE FF 0A 00 2D 00 00 03 FF 01 01"
        let reading = try #require(OrientationReading(bytes(hex)))
        #expect(reading.heading == -90)
        #expect(reading.boxHeading == -135)
        #expect(reading.accuracy == 45)
        #expect(
            [reading.magnetometer, reading.accelerometer, reading.gyroscope, reading.fusion] == [0, 3, -1, 1])
        #expect(!reading.isAccurate)
        #expect(reading.bytes == bytes(hex))
    }

    @Test("Firmware (N19), with and without a variant")
    func firmware() {
        #expect(FirmwareInformation(bytes("2D 00 01")) == FirmwareInformation(version: 45, variant: 1))
        #expect(FirmwareInformation(bytes("2D 00")) == FirmwareInformation(version: 45))
        #expect(FirmwareInformation(bytes("2D")) == nil)
        #expect(FirmwareInformation(bytes("04 00 04"))?.needsFrontRangePatch == true)
        #expect(FirmwareInformation(bytes("04 00 03"))?.needsFrontRangePatch == false)
    }

    @Test(
        "Debug output",
        arguments: [
            Vector("N21", "A0 78 56 34 12", DebugMessage.error(0x1234_5678)),
            Vector(
                "N22", "0B 07 00 01 02 00 00 00 02 00 00 00",
                .logHeader(session: 7, entries: 1, first: 2, last: 2)),
            Vector(
                "N23", "0C 02 00 00 00 10 27 00 00 07 00 00",
                .logEntry(code: 2, milliseconds: 10_000, session: 7, more: false)),
        ])
    func debug(_ vector: Vector<DebugMessage>) {
        #expect(DebugMessage(bytes(vector.hex)) == vector.meaning)
        #expect(vector.meaning.bytes == bytes(vector.hex))
        #expect(DebugMessage(bytes(vector.hex).dropLast()) == nil)
    }

    @Test("Raw sensor packet (N24)")
    func sensor() {
        let packet = SensorPacket(sequence: 5, records: [.init(id: 1, x: 1000, y: -1000, z: 0)])
        #expect(SensorPacket(bytes("01 05 01 E8 03 18 FC 00 00")) == packet)
        #expect(packet.bytes == bytes("01 05 01 E8 03 18 FC 00 00"))
        #expect(SensorPacket(bytes("01 05 01 E8 03 18"))?.records == [])
        #expect(SensorPacket(bytes("02 05")) == nil)
    }
}

import Testing

@testable import DeviceCatalog

@Suite("Notifications that are short, long or unknown")
struct BeltNotificationLimitTests {
    @Test("A keep-alive with an unknown mode or with one byte has no mode")
    func keepAlive() {
        #expect(BeltKeepAlive(bytes("01")) == nil)
        #expect(BeltKeepAlive(bytes("01 09 FF")).map { $0.mode == nil } == true)
    }

    @Test("An unknown button or mode is ignored", arguments: ["05 01 00 03 03", "02 01 00 07 03"])
    func unknownButton(_ hex: String) {
        #expect(BeltButtonPress(bytes(hex)) == nil)
    }

    @Test(
        "Values out of range have no meaning",
        arguments: ["01 01 09", "01 02 65", "01 03 68 01", "01 03 01", "10 0A E1 00", "10 77 01", "10 0F 01"])
    func meaningless(_ hex: String) throws {
        #expect(try #require(BeltParameterNotification(bytes(hex))).content == nil)
    }

    @Test("Parameter 0F with four bytes is the magnetometer error, with two bytes the period")
    func ambiguousParameter() {
        #expect(
            BeltParameterNotification(bytes("10 0F 00 00 80 3F"))?.content == .magnetometerError(1))
    }

    @Test("A battery status needs five bytes and a known power status")
    func batteryLengths() {
        let long = bytes("02 00 64 80 02 F4 01 68 10")
        #expect(BeltBatteryStatus(Array(long.prefix(5)))?.current == nil)
        #expect(BeltBatteryStatus(Array(long.prefix(5)))?.remaining == 3600)
        #expect(BeltBatteryStatus(Array(long.prefix(4))) == nil)
        #expect(BeltBatteryStatus(bytes("04 00 64 80 02 F4 01 68 10")) == nil)
    }

    @Test("Firmware information can lack its variant; one firmware is patched")
    func firmware() {
        #expect(BeltFirmwareInformation(bytes("2D 00")) == BeltFirmwareInformation(version: 45))
        #expect(BeltFirmwareInformation(bytes("2D")) == nil)
        #expect(BeltFirmwareInformation(bytes("04 00 04"))?.needsFrontRangePatch == true)
        #expect(BeltFirmwareInformation(bytes("04 00 03"))?.needsFrontRangePatch == false)
    }

    @Test("A truncated sensor record is dropped, and other packets are ignored")
    func sensor() {
        #expect(BeltSensorPacket(bytes("01 05 01 E8 03 18"))?.records == [])
        #expect(BeltSensorPacket(bytes("02 05")) == nil)
    }
}

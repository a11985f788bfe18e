import Bluetooth
import DeviceKit
import ProtocolVectors
import Testing

@testable import DeviceCatalog

@Suite("The protocol page of the TAP")
struct TapProtocolPageTests {
    private let page: VectorPage

    init() throws { page = try VectorPage("tap") }

    @Test("The page lists every characteristic and whether a TAP requires it")
    func characteristics() throws {
        for id in TapGATT.required + TapGATT.optional {
            let name = id.uuid.short == nil ? String(id.uuid.description.prefix(8)) : "\(id)".uppercased()
            let row = try #require(
                page.rows.first { $0.count == 5 && $0[1].contains("`\(name)`") }, "\(name) is not there")
            #expect(TapGATT.required.contains(id) == (row[4] == "not a TAP"), "\(name)")
        }
        #expect(
            page.prose.contains("\(TapGATT.tapService)") && page.prose.contains("`\(TapGATT.namePrefix)`"))
    }

    @Test("The times on the page match the code")
    func times() {
        func seconds(_ time: Duration) -> String { "\(Int(time / .seconds(1))) s" }
        let durations = TapHapticSequence.durations
        let sentences = [
            "Write both again every \(seconds(TapMachine.refresh.period))",
            "at least \(Int(TapCommandSlot.pause / .milliseconds(1))) ms apart",
            "It reads the charge every \(seconds(TapMachine.charge.period))",
            "Durations are \(durations.lowerBound) to \(durations.upperBound) ms, rounded down, at most "
                + "\(TapHapticSequence.counts.upperBound)",
        ]
        for sentence in sentences { #expect(page.sentences.contains(sentence), "\(sentence)") }
    }

    @Test(
        "The versions on the page match the code",
        arguments: [
            ("text and controller mode", TapCapability.textAndController),
            ("controller with mouse HID", .mouseHID), ("controller with full HID", .fullHID),
            ("raw mode, haptics", .raw), ("raw mode, haptics", .haptics), ("TapXR's state", .xrState),
        ])
    func versions(_ feature: String, _ capability: TapCapability) {
        let end = capability.endOfHardware.map { " to \($0.number - 1)" } ?? " and later"
        let row = [feature, "\(capability.hardware.number)\(end)", "\(capability.firmware.number)"]
        #expect(page.rows.contains(row), "\(row)")
    }

    @Test("The scales on the page match the code", arguments: UInt8(0)...5)
    func scales(_ code: UInt8) throws {
        let row = try #require(page.rows.first { $0.count == 4 && $0[0] == "\(code)" })
        let sensitivity = TapSensitivity(codes: code, code, code)
        let scales: [(ClosedRange<Int>, Double)] = [
            (TapSensitivity.fingerCodes, sensitivity.fingerScale.value(of: 1)),
            (TapSensitivity.gyroCodes, sensitivity.gyroScale.value(of: 1)),
            (TapSensitivity.accelerometerCodes, sensitivity.accelerometerScale.value(of: 1)),
        ]
        for (cell, (codes, scale)) in zip(row.dropFirst(), scales) {
            let number = cell.split(separator: " ").first.flatMap { Double($0) }
            #expect(number == (codes.contains(Int(code)) ? scale : nil), "\(cell)")
        }
    }
}

import Bluetooth
import DeviceKit
import JSON
import Testing

@testable import DeviceCatalog

@Suite("Reads and writes of raw bytes, and stops after them")
struct BeltGATTTests {
    private func expert(mode: BeltMode = .wait) -> BeltBench {
        var bench = BeltBench.connected(["expert": true], mode: mode)
        bench.advance(by: .seconds(20))
        _ = bench.take()
        return bench
    }

    private func failure(_ bench: BeltBench, _ id: UInt64 = 1) -> CommandError? {
        guard case .failed(let error)? = bench.answers[id]?.first else { return nil }
        return error
    }

    @Test("Without the setting, the command is refused, and the refusal names the alternatives")
    func notExpert() throws {
        var bench = BeltBench.online()
        bench.command("gatt", #"{"characteristic":"FE01"}"#)
        #expect(bench.operations.isEmpty)
        let error = try #require(failure(bench))
        #expect(error.code == .notSupported)
        #expect(error.message.contains("expert: true") && error.message.contains(" vibrate "))
    }

    @Test("A characteristic is read by its short or full name, and answered in hex")
    func reads() {
        var bench = expert()
        bench.command("gatt", #"{"characteristic":"FE01"}"#)
        bench.command(
            "gatt", #"{"service":"fe51","characteristic":"0000fe09-0000-1000-8000-00805f9b34fb"}"#)
        bench.command("gatt", #"{"characteristic":"fe01","service":"FE51"}"#)
        #expect(bench.take() == ["read FE01", "read FE09", "read FE01"])
        bench.complete(read: [0x34, 0, 1])
        bench.complete(read: [1])
        bench.complete(OperationError(.failed, "no"))
        #expect(bench.answers[1] == [.ok(["hex": "340001"])])
        #expect(bench.answers[2] == [.ok(["hex": "01"])])
        #expect(bench.answers[3] == [.failed(.deviceError, "no")])
    }

    @Test("A write is answered when the belt acknowledges or refuses it")
    func writes() {
        var bench = expert()
        bench.command("gatt", #"{"characteristic":"FE07","hex":"01 01 30 05"}"#)
        #expect(bench.takeWrites() == ["FE07 01 01 30 05"])
        bench.complete()
        #expect(bench.answers[1] == [.ok(["hex": "01013005"])])
        bench.command("gatt", #"{"characteristic":"FE07","hex":"01"}"#)
        bench.complete(OperationError(.invalidLength, "no"))
        #expect(bench.answers[2] == [.failed(.deviceError, "no")])
    }

    @Test("A notification can be the answer; on FE06, it must be about the same parameter")
    func answered() {
        var bench = expert()
        bench.command("gatt", #"{"characteristic":"FE05","hex":"0102","answer_from":"FE06"}"#)
        bench.command("gatt", #"{"characteristic":"FE05","hex":"0103","answer_from":"FE06"}"#)
        #expect(failure(bench, 2)?.code == .busy)
        bench.notify(BeltGATT.parameterNotification, "01 03 2D 00")
        #expect(bench.answers[1] == nil)
        bench.notify(BeltGATT.parameterNotification, "01 02 32")
        #expect(bench.answers[1] == [.ok(["hex": "010232"])])
        bench.acknowledge()
        bench.command(
            "gatt",
            #"{"characteristic":"FE05","hex":"110200 00","answer_from":"FE06","confirm":true}"#)
        bench.acknowledge()
        bench.advance(by: .milliseconds(999))
        #expect(bench.answers[3] == nil)
        bench.advance(by: .milliseconds(1))
        #expect(failure(bench, 3)?.code == .timeout)
        #expect(bench.answers[1]?.count == 1)
    }

    private static let refused: [(String, String)] = [
        (#"{"characteristic":"FE03"}"#, "FE01 FE09"), (#"{"characteristic":"2A19"}"#, "FE01 FE02"),
        (#"{"characteristic":"FE01","service":"180F"}"#, "FE51 FE52 FE53"),
        (#"{"characteristic":"FE01","service":"FE53"}"#, "FE13 FE14"),
        (#"{"characteristic":"FE01","hex":"00"}"#, "cannot be written"),
        (#"{"characteristic":"FE07","hex":"0"}"#, "out_of_range"),
        (#"{"characteristic":"FE07","hex":"0g"}"#, "pairs of hexadecimal digits"),
        (#"{"characteristic":"FE07","answer_from":"FE06"}"#, "hex: missing"),
        (#"{"characteristic":"FE05","hex":"0102","answer_from":"FE0B"}"#, "FE02 FE04 FE06"),
        (#"{"characteristic":"FE05","hex":"01810300","answer_from":"FE06"}"#, "answer_from"),
        (#"{"hex":"00"}"#, "characteristic"),
        // No stop is known for these.
        (#"{"characteristic":"FE03","hex":"50 01","confirm":true}"#, "18 bytes"),
        (#"{"characteristic":"FE03","hex":"30 01 00"}"#, "18 bytes"),
        (#"{"characteristic":"FE05","hex":"018109","confirm":true}"#, "mode 9"),
        // These require a confirmation.
        (#"{"characteristic":"FE05","hex":"018105"}"#, "mode calibration needs"),
        (#"{"characteristic":"FE05","hex":"01810000"}"#, "mode standby needs"),
        (#"{"characteristic":"FE05","hex":"12010000"}"#, "a reset needs"),
        (#"{"characteristic":"FE05","hex":"13"}"#, "an unknown request needs"),
        (#"{"characteristic":"FE13","hex":"02"}"#, "a debug command needs"),
        (#"{"characteristic":"FE0A","hex":"0102"}"#, "a sensor command needs"),
    ]

    @Test(
        "Unknown or unconfirmed bytes and other characteristics are refused with the allowed values",
        arguments: refused)
    func refuse(_ payload: String, _ words: String) throws {
        var bench = expert()
        bench.command("gatt", payload)
        #expect(bench.operations.isEmpty)
        let error = try #require(failure(bench))
        #expect("\(error)".contains(words), "\(error)")
    }

    @Test(
        "Bytes that require a confirmation are written with it",
        arguments: [("FE05", "12010000"), ("FE13", "02"), ("FE0A", "0102"), ("FE05", "13")])
    func confirmed(_ name: String, _ hex: String) {
        var bench = expert()
        bench.command("gatt", #"{"characteristic":"\#(name)","hex":"\#(hex)","confirm":true}"#)
        bench.acknowledge()
        #expect(bench.answers[1] == [.ok(["hex": .string(hex)])])
    }

    // MARK: Safety

    @Test("An endless vibration is stopped by a stop, a lost broker and the guardian")
    func endless() {
        var bench = expert(mode: .wait)
        bench.command("mode", "app")
        bench.notify(mode: .app)
        bench.acknowledge()
        #expect(bench.machine.will == .none)
        _ = bench.take()
        let vibration = "03 01 AA AA 00 00 02 5A 00 00 00 FF F4 01 00 00 00 00"
        bench.command("gatt", #"{"characteristic":"FE03","hex":"\#(vibration)"}"#)
        #expect(bench.takeWrites() == ["FE03 \(vibration)"])
        bench.complete()
        #expect(bench.answers[2] == [.ok(["hex": .string(vibration.replacing(" ", with: "").lowercased())])])
        #expect(bench.machine.will.writes.map(\.value) == [[0x30, 0xFF]])
        bench.feed(.stop(.brokerLost))
        #expect(bench.takeWrites() == ["FE03 30 03 ahead"])
        bench.acknowledge()
        #expect(bench.machine.will == .none)
    }

    @Test("A stop replaces a queued vibration")
    func waiting() {
        var bench = expert(mode: .app)
        bench.command("intensity", "60")
        let vibration = "03 01 AA AA 00 00 02 5A 00 00 00 00 F4 01 00 00 00 00"
        bench.command("gatt", #"{"characteristic":"FE03","hex":"\#(vibration)"}"#)
        bench.command("gatt", #"{"characteristic":"FE07","hex":"01 01 30 05"}"#)
        bench.command("stop", "all")
        #expect(bench.answers[2] == [.superseded])
        #expect(bench.answers[3] == nil)
        bench.acknowledge()
        bench.notify(BeltGATT.parameterNotification, "01 02 3C")
        bench.acknowledge()
        #expect(!bench.takeWrites().contains("FE03 \(vibration)"))
    }

    @Test("After a system signal of raw bytes, the answer to a stop is unconfirmed")
    func ownSignal() {
        for bytes in [#""FE03","hex":"20 02""#, #""FE05","hex":"01 82 32 00 01""#] {
            var bench = expert(mode: .wait)
            bench.command("gatt", #"{"characteristic":\#(bytes)}"#)
            bench.acknowledge()
            bench.command("stop", "all")
            bench.acknowledge()
            #expect(bench.answers[2] == [.unconfirmed])
        }
    }

    @Test("App mode requested by raw bytes stays, and is answered when the belt confirms it")
    func appMode() {
        var bench = expert()
        bench.command("gatt", #"{"characteristic":"FE05","hex":"01 81 03"}"#)
        #expect(bench.takeWrites() == ["FE05 01 81 03"])
        bench.acknowledge()
        #expect(bench.answers[1] == nil)
        #expect(bench.machine.isEnteringAppMode)
        bench.notify(mode: .app)
        #expect(bench.answers[1] == [.ok(["hex": "018103"])])
        #expect(bench.takeWrites() == [], "the navigation controller lets it be")
    }

    @Test("A mode that the belt does not confirm times out")
    func refusedMode() {
        var bench = expert()
        bench.command("gatt", #"{"characteristic":"FE05","hex":"01 81 06 00"}"#)
        bench.acknowledge()
        bench.advance(by: .seconds(1))
        #expect(failure(bench)?.code == .timeout)
    }

    @Test("Raw bytes wait for the confirmation of an earlier request")
    func inTurn() {
        var bench = expert()
        bench.command("intensity", "60")
        bench.command("gatt", #"{"characteristic":"FE05","hex":"01 82 14 00 00"}"#)
        #expect(bench.takeWrites() == ["FE05 01 82 3C 00 01"])
        bench.acknowledge()
        bench.notify(BeltGATT.parameterNotification, "01 02 3C")
        #expect(bench.answers[1] == [.ok])
        #expect(bench.takeWrites() == ["FE05 01 82 14 00 00"])
    }

    @Test("A lost link answers all commands in progress, once")
    func linkLost() {
        var bench = expert()
        bench.command("gatt", #"{"characteristic":"FE01"}"#)
        bench.command("gatt", #"{"characteristic":"FE07","hex":"01013005"}"#)
        bench.command("gatt", #"{"characteristic":"FE05","hex":"0102","answer_from":"FE06"}"#)
        bench.feed(.disconnected)
        #expect((1...3).map { bench.answers[$0] } == Array(repeating: [.linkLost("belt")], count: 3))
    }
}

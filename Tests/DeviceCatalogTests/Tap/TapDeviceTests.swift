import Bluetooth
import DeviceKit
import JSON
import Testing

@testable import DeviceCatalog

@Suite("Vibration, name, privacy and batches")
struct TapDeviceTests {
    @Test("A vibration is answered when the TAP has acknowledged it")
    func vibrate() {
        var bench = TapBench.online()
        bench.command("vibrate", "[500,100,500]")
        #expect(
            bench.take() == ["> c3ff0009 00 02 32 0A 32 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"])
        bench.acknowledge()
        #expect(bench.take() == ["#1 ok"])
        bench.command("vibrate", #"{"durations_ms":[10]}"#)
        bench.complete(OperationError(.failed, "for the test"))
        #expect(bench.refusal?.code == .deviceError)
    }

    @Test("A TAP that only supports writes without response gets such writes")
    func withoutResponse() {
        var bench = TapBench()
        var profile = TapBench.profile()
        profile.characteristics[TapGATT.haptics] = .writeWithoutResponse
        bench.connect(profile: profile)
        _ = bench.take()
        bench.command("vibrate", "[10]")
        #expect(bench.take().first?.hasPrefix("~> c3ff0009") == true)
    }

    @Test("All stop ends a vibration that may still play, ahead of queued writes")
    func stop() {
        let silence = "> c3ff0009 00 02" + String(repeating: " 00", count: 18)
        var bench = TapBench.online()
        bench.feed(.stop(.allStop))
        #expect(bench.take() == [])
        bench.command("vibrate", "[1000]")
        bench.feed(.stop(.allStop))
        #expect(bench.take().suffix(2) == [silence + " ahead", silence])
        bench.acknowledge()
        bench.advance(by: .milliseconds(2))
        _ = bench.take()
        bench.command("vibrate", "[1000]")
        bench.acknowledge()
        _ = bench.take()
        bench.feed(.stop(.brokerLost))
        #expect(bench.take() == [])
        bench.feed(.stop(.shutdown))
        #expect(bench.take() == [silence + " ahead"])
        bench.command("vibrate", "[1000]")
        bench.acknowledge()
        bench.advance(by: .seconds(1))
        _ = bench.take()
        bench.feed(.stop(.suspend))
        #expect(bench.take() == [])
    }

    @Test("A new name is written, and the name that the TAP reports is published")
    func rename() {
        var bench = TapBench.online()
        bench.command("device_name", "Tap_left")
        #expect(bench.take() == ["> c3ff0003 54 61 70 5F 6C 65 66 74"])
        bench.complete()
        #expect(bench.take() == ["read c3ff0003"])
        bench.complete(read: Array("Tap_left".utf8))
        #expect(bench.take() == ["device_name = \"Tap_left\"", "#1 ok"])
    }

    @Test("A truncated name is an error with the resulting name; invalid names are refused")
    func cutName() {
        var bench = TapBench.connected()
        bench.command("device_name", "Tap_left_hand")
        bench.complete()
        bench.complete(read: Array("Tap_left".utf8))
        #expect(bench.refusal == CommandError(.deviceError, "the TAP now reports the name \"Tap_left\""))
        bench.command("device_name", "a\u{7}b")
        #expect(bench.refusal?.code == .invalidPayload || bench.refusal?.code == .invalidValue)
        bench.command("device_name", #"{"device_name":""}"#)
        #expect(bench.refusal?.code == .outOfRange)
    }

    @Test("With publish_taps off, taps stay private; gestures and touches are published")
    func privacy() {
        var bench = TapBench.online(settings: ["publish_taps": false])
        bench.notify(TapGATT.taps, "05 00 00 00")
        bench.notify(TapGATT.air, "02 00")
        bench.notify(TapGATT.air, "14 01")
        bench.notify(TapGATT.taps, "02 00 00 00")
        bench.notify(TapGATT.taps, "01 00 00 00")
        bench.notify(TapGATT.taps, "00 00 00 02")
        #expect(
            bench.take() == [
                #"gesture = {"gesture":"one_finger_up","code":2}"#, "air_mouse = true",
                #"gesture = {"gesture":"index_to_thumb","code":10}"#,
            ])
        #expect(bench.remarks == [])
    }

    @Test("With raw_batch_ms, raw values are collected into arrays")
    func batches() throws {
        var bench = TapBench.online(settings: ["raw_batch_ms": 50, "default_input_mode": "raw"])
        let frame = "7B 00 00 00 01 00 00 00 00 00 01 00 00 00 00 00"
        bench.notify(TapGATT.raw, frame + frame)
        bench.advance(by: .milliseconds(49))
        bench.notify(TapGATT.raw, frame)
        #expect(bench.take() == [])
        bench.advance(by: .milliseconds(1))
        var lines = bench.take()
        #expect(lines.count == 1)
        var values = try JSON.Value(parsing: Array(try #require(lines.first).dropFirst(6).utf8))
        #expect(values.array?.count == 3)
        bench.advance(by: .seconds(1))
        #expect(bench.take() == [])
        bench.notify(TapGATT.raw, frame)
        bench.feed(.disconnected)
        lines = bench.take()
        values = try JSON.Value(parsing: Array(try #require(lines.first).dropFirst(6).utf8))
        #expect(values.array?.count == 1)
    }

    @Test("While the TAP is offline, commands are refused")
    func offline() {
        var bench = TapBench()
        bench.command("vibrate", "[100]")
        #expect(bench.refusal?.code == .deviceOffline)
    }
}

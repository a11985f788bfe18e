import Bluetooth
import BridgeTesting
import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("The handshake with a TAP: identity, subscriptions, mode")
struct TapHandshakeTests {
    @Test("The steps run one after another, in order")
    func order() {
        var bench = TapBench()
        bench.begin()
        #expect(
            bench.take() == [
                "read 2A27", "read 2A26", "read 2A25", "read 2A29", "read c3ff0003",
                "device_name = \"Tap_XR42\"", "read 2A19", #"battery = {"level":87}"#, "read 2A28",
                "read c3ff000c", "read c3ff000d", "subscribe c3ff0005", "subscribe c3ff0006",
                "subscribe c3ff000a", "subscribe 6e400003", "subscribe 2A19", "ready",
                #"haptic = {"playing":null}"#,
                "~> c3ff000a 0D", "> 6e400002 03 0C 00 01",
            ])
        bench.acknowledge()
        #expect(bench.take() == ["input_mode = \"controller\""])
    }

    @Test("Only taps and modes are required")
    func minimum() {
        var bench = TapBench()
        bench.connect(
            PlayedTap.Kind(), profile: TapBench.profile(without: Set(TapGATT.optional)))
        #expect(
            bench.take() == [
                "subscribe c3ff0005", "ready", #"haptic = {"playing":null}"#, "> 6e400002 03 0C 00 01",
                "input_mode = \"controller\"",
            ])
        for (feature, payload) in [
            ("vibrate", "[100]"), ("device_name", "x"), ("input_mode", "raw"), ("xr_state", "tapping"),
        ] {
            bench.command(feature, payload)
            #expect(bench.refusal?.code == .notSupported)
        }
    }

    @Test("A device without a required characteristic is not a TAP", arguments: TapGATT.required)
    func notATap(_ characteristic: CharacteristicID) {
        var bench = TapBench()
        bench.feed(.connected(TapBench.profile(without: [characteristic])))
        #expect(bench.take() == ["fail notThisFamily"])
    }

    @Test("Failed optional steps are skipped")
    func failures() {
        var bench = TapBench()
        bench.feed(.connected(TapBench.profile()))
        while let next = bench.operations.first, !bench.isReady {
            bench.complete(next == .subscribe(TapGATT.taps) ? nil : OperationError(.failed, "for the test"))
        }
        #expect(bench.isReady)
        #expect(bench.remarks.count == 13)
    }

    @Test("A failed subscription to taps fails the handshake")
    func deaf() {
        var bench = TapBench()
        bench.feed(.connected(TapBench.profile(without: Set(TapGATT.optional))))
        bench.complete(OperationError(.timeout, "for the test"))
        #expect(bench.take() == ["subscribe c3ff0005", "fail handshake"])
    }

    @Test("A refusal without a bond requests a bond; with a bond, an optional value is skipped")
    func bond() {
        var bench = TapBench()
        bench.feed(.connected(TapBench.profile(isPaired: false)))
        bench.complete(OperationError(.notPermitted, "for the test"))
        #expect(bench.take() == ["read 2A27", "fail pairingRequired"])
        bench = TapBench()
        bench.feed(.connected(TapBench.profile()))
        bench.complete(OperationError(.notPermitted, "for the test"))
        #expect(bench.take() == ["read 2A27", "read 2A26"])
        bench = TapBench()
        bench.feed(.connected(TapBench.profile(without: Set(TapGATT.optional))))
        bench.complete(OperationError(.notPermitted, "for the test"))
        #expect(bench.take() == ["subscribe c3ff0005", "fail pairingRequired"])
    }

    @Test("A handshake has a time limit of twenty seconds")
    func late() {
        var bench = TapBench()
        bench.feed(.connected(TapBench.profile()))
        bench.advance(by: .milliseconds(19_900), isDeaf: true)
        #expect(bench.take() == ["read 2A27"])
        bench.advance(by: .milliseconds(100), isDeaf: true)
        #expect(bench.take() == ["fail handshake"])
    }

    @Test("The charge is read again every five minutes")
    func battery() {
        var bench = TapBench.online()
        bench.advance(by: .seconds(700))
        #expect(bench.take().filter { $0 == "read 2A19" }.count == 2)
    }

    @Test("Taps are published from the moment the link is up")
    func early() {
        var bench = TapBench()
        bench.feed(.connected(TapBench.profile()))
        _ = bench.take()
        bench.notify(TapGATT.taps, "05")
        #expect(bench.take().count == 1)
        bench.feed(.disconnected)
        bench.notify(TapGATT.taps, "05")
        #expect(bench.take() == [])
    }
}

import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Testing

@Suite("The order of operations")
struct OrderTests {
    @Test("Commands are executed in the order of their arrival")
    func order() {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.setHolding(true)
            for level in 1...5 { bench.send("level", "\(level)") }
            #expect(bench.link()?.waiting.count == 1)
            bench.link()?.setHolding(false)
            #expect(bench.control.suffix(5) == [[5, 1], [5, 2], [5, 3], [5, 4], [5, 5]])
            #expect(bench.results().count == 5)
        }
    }

    @Test("The answer to a keep-alive overtakes waiting operations")
    func keepAlive() {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.setHolding(true)
            for level in 1...3 { bench.send("level", "\(level)") }
            bench.link()?.notify(SampleFamily.status, [1, 77])
            bench.link()?.setHolding(false)
            #expect(bench.control.suffix(4) == [[5, 1], [1, 77], [5, 2], [5, 3]])
        }
    }

    @Test(
        "A stop is written immediately, even if another characteristic is busy, and drops waiting operations")
    func stop() {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.setHolding(true)
            for level in 1...3 { bench.send("level", "\(level)") }
            bench.send("stop", "")
            #expect(bench.motor == [[0]])
            bench.link()?.setHolding(false)
            #expect(bench.control.suffix(1) == [[5, 1]])
            #expect(
                bench.results().map { ($0["code"] ?? $0["status"])?.string }
                    .sorted { $0 ?? "" < $1 ?? "" } == ["device_error", "device_error", "ok", "ok"])
        }
    }

    @Test("A stop without response does not wait for a write to the same characteristic")
    func stopSameCharacteristic() {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.setHolding(true)
            bench.send("aim", "90")
            bench.send("stop", "")
            #expect(bench.motor == [[6, 45], [0]])
            bench.link()?.setHolding(false)
            #expect(bench.motor == [[6, 45], [0]])
            bench.send("aim", "180")
            #expect(bench.motor.last == [6, 90])
        }
    }

    @Test("Operations that wait on a lost connection are not written on the next one, which works normally")
    func nextLink() {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.setHolding(true)
            for level in 1...3 { bench.send("level", "\(level)") }
            bench.link()?.lose()
            bench.hear()
            #expect(bench.control == [Array("hello".utf8)])
            bench.send("level", "9")
            #expect(bench.control.last == [5, 9])
            #expect(bench.lastResult() == "ok")
        }
    }

    @Test("A slow device does not delay another device")
    func twoDevices() {
        withLab { lab in
            var settings = BridgeSettings.oneDevice()
            settings.devices.append(
                BridgeSettings.Device(name: "other", family: "sample", address: "AA:BB:CC:00:00:02"))
            let bench = lab.bridge(settings)
            bench.goOnline()
            bench.hear("AA:BB:CC:00:00:02")
            bench.link()?.setHolding(true)
            bench.send("level", "1")
            bench.send("level", "2", device: "other")
            #expect(bench.results() == [])
            #expect(bench.lastResult("other") == "ok")
        }
    }

    @Test("The loss of the broker stops every device once")
    func brokerLost() {
        withBridge { bench in
            bench.goOnline()
            bench.client.lose()
            bench.client.lose()
            #expect(bench.motor == [[0]])
            bench.connectBroker()
            #expect(bench.broker.retainedObject("sample/mode")?["stopped_by"] == "broker_lost")
        }
    }

    @Test("Timers of a state machine fire in order, and a canceled timer does not fire")
    func timers() {
        withBridge { bench in
            bench.goOnline()
            bench.send("mode", "fast")
            bench.time.advance(by: .seconds(1))
            bench.link()?.notify(SampleFamily.status, [2, 1])
            bench.time.advance(by: .seconds(60))
            #expect(bench.results().count == 1)
        }
    }

    @Test("The number of scheduled calls of a session does not grow")
    func sleepers() {
        withBridge { bench in
            bench.goOnline()
            for _ in 0..<200 {
                bench.send("mode", "fast")
                bench.time.advance(by: .milliseconds(50))
                bench.link()?.notify(SampleFamily.status, [2, 1])
            }
            #expect(bench.results().count == 200)
            #expect(bench.time.callCount < 5)
        }
    }
}

import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import HostTesting
import JSON
import Logging
import Messages
import Testing

@Suite("The connection of a device")
struct ConnectionTests {
    @Test("A device in range is connected, prepared and online, and its topics report each step")
    func lifeCycle() throws {
        try withBridge { bench in
            bench.connectBroker()
            #expect(bench.connection()?["state"] == "searching")
            #expect(bench.connection()?["reason"] == "not in range so far")
            #expect(bench.availability() == "offline")
            #expect(bench.radio.discoveries == 1)

            bench.broker.clearLog()
            bench.hear()
            #expect(bench.states() == ["connecting", "preparing", "connected"])
            #expect(bench.availability() == "online")
            #expect(bench.radio.discoveries == 0)
            let connection = try #require(bench.connection())
            #expect(
                connection == [
                    "state": "connected", "bridge": "attic", "address": "AA:BB:CC:A1:B2:C3",
                    "configured": true, "bluetooth_adapter": "hci0", "rssi": -60,
                    "rssi_time": .string(bench.time.date.description),
                    "since": .string(bench.time.date.description),
                    "attempt": 0, "reason": nil, "reason_code": nil,
                    "advice": nil, "advice_code": nil, "next_attempt": nil,
                ])
        }
    }

    @Test("The info topic contains the device information")
    func info() {
        withBridge { bench in
            bench.goOnline()
            #expect(
                bench.broker.retainedObject("sample/info") == [
                    "family": "sample", "name": "sample device", "address": "AA:BB:CC:A1:B2:C3",
                    "manufacturer": "Sample", "model": nil, "hardware": nil, "firmware": "1", "serial": nil,
                ])
            #expect(bench.broker.retainedObject("sample/features")?["level"]?["kind"] == "state")
        }
    }

    @Test("The settings of the configuration are written to the device")
    func settings() {
        withBridge { bench in
            bench.goOnline()
            #expect(bench.control == [Array("hello".utf8)])
        }
    }

    @Test("A device that another program has connected is connected without an advertisement")
    func connectedAlready() {
        withBridge { bench in
            bench.connectBroker()
            bench.hear(rssi: nil)
            #expect(bench.states().last == "searching")
            bench.hear(rssi: nil, isConnected: true)
            #expect(bench.availability() == "online")
        }
    }

    struct Failure: Sendable, CustomTestStringConvertible {
        var error: RadioError.Code
        var state: String
        /// The time after each failure without an attempt, although advertisements arrive.
        var pauses: [Duration]
        var testDescription: String { error.rawValue }
    }

    @Test(
        "After a failed attempt, the bridge backs off according to the error",
        arguments: [
            Failure(
                error: .unreachable, state: "searching",
                pauses: [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)]),
            Failure(error: .unknownDevice, state: "searching", pauses: [.milliseconds(500), .seconds(1)]),
            Failure(error: .failed, state: "searching", pauses: [.milliseconds(500), .seconds(1)]),
            Failure(error: .busy, state: "searching", pauses: [.seconds(1), .seconds(1), .seconds(1)]),
            Failure(error: .unavailable, state: "disconnected", pauses: [.seconds(1), .seconds(2)]),
            Failure(error: .wrongProfile, state: "error", pauses: [.seconds(300), .seconds(300)]),
        ])
    func backOff(_ failure: Failure) {
        withBridge { bench in
            bench.connectBroker()
            for _ in failure.pauses {
                bench.radio.failConnecting(BridgeSettings.sample, RadioError(failure.error, "no luck"))
            }
            bench.hear()
            for (number, pause) in failure.pauses.enumerated() {
                #expect(bench.radio.requests.count == number + 1)
                // The third consecutive failure is an error, but the search for the device continues.
                let isError = failure.state == "searching" && failure.error != .busy && number >= 2
                #expect(bench.connection()?["state"]?.string == (isError ? "error" : failure.state))
                #expect(bench.connection()?["reason"] == "no luck")
                #expect(bench.connection()?["attempt"]?.integer == number + 1)
                #expect(bench.connection()?["next_attempt"] != .null)
                bench.hear()
                bench.time.advance(by: pause - .milliseconds(1))
                #expect(bench.radio.requests.count == number + 1)
                bench.time.advance(by: .milliseconds(1))
                #expect(bench.radio.requests.count == number + 2)
            }
            #expect(bench.availability() == "online")
        }
    }

    @Test("The back-off for a device that does not answer is at most 30 s, and success resets it")
    func backOffLimit() {
        withBridge { bench in
            bench.connectBroker()
            for _ in 0..<12 {
                bench.radio.failConnecting(BridgeSettings.sample, RadioError(.unreachable, "no answer"))
                bench.hear()
                bench.time.advance(by: .seconds(30))
            }
            #expect(bench.connection()?["attempt"] == 12)
            bench.hear()
            #expect(bench.availability() == "online")
            #expect(bench.connection()?["attempt"] == 0)
        }
    }

    @Test("Consecutive identical failures are logged once, until an attempt succeeds")
    func failuresLoggedOnce() {
        withBridge { bench in
            bench.connectBroker()
            for round in 1...2 {
                for reason in ["no answer", "no answer", "no answer", "refused"] {
                    bench.radio.failConnecting(BridgeSettings.sample, RadioError(.unreachable, reason))
                    bench.hear()
                    bench.time.advance(by: .seconds(30))
                }
                #expect(bench.log.count(.info, "could not connect") == 2 * round)
                bench.hear()
                #expect(bench.availability() == "online")
                bench.link()?.lose("supervision timeout")
            }
        }
    }

    @Test("The time of the next attempt is published")
    func nextAttempt() {
        withBridge { bench in
            bench.connectBroker()
            bench.radio.failConnecting(BridgeSettings.sample, RadioError(.unreachable, "no answer"))
            bench.hear()
            let expected = TimeStamp(milliseconds: bench.time.date.milliseconds + 500)
            #expect(bench.connection()?["next_attempt"]?.string == expected.description)
        }
    }

    @Test("A lost connection is made again at the next advertisement")
    func lossInUse() {
        withBridge { bench in
            bench.goOnline()
            bench.broker.clearLog()
            bench.link()?.lose("supervision timeout")
            #expect(bench.states() == ["searching"])
            #expect(bench.connection()?["reason"] == "supervision timeout")
            #expect(bench.connection()?["bluetooth_adapter"] == .null)
            #expect(bench.availability() == "offline")
            #expect(bench.broker.retained("sample/level") == nil)
            bench.hear()
            #expect(bench.availability() == "online")
            #expect(bench.radio.links(BridgeSettings.sample).count == 2)
        }
    }

    @Test("After the loss of a connection during the handshake, the bridge backs off")
    func lossInHandshake() {
        withBridge { bench in
            bench.radio.setUpLinks { $0.setHolding(true) }
            bench.goOnline()
            #expect(bench.connection()?["state"] == "preparing")
            bench.link()?.lose("gone")
            #expect(bench.connection()?["state"] == "searching")
            #expect(bench.connection()?["attempt"] == 1)
            bench.hear()
            #expect(bench.radio.links(BridgeSettings.sample).count == 1)
            bench.time.advance(by: .milliseconds(500))
            #expect(bench.radio.links(BridgeSettings.sample).count == 2)
        }
    }

    @Test("A connection that is lost before it is used counts as a failed attempt")
    func lossBeforeUse() {
        withBridge { bench in
            bench.radio.setUpLinks { $0.lose("gone at once") }
            bench.goOnline()
            #expect(bench.connection()?["state"] == "searching")
            #expect(bench.connection()?["reason"] == "gone at once")
            #expect(bench.link()?.operations == [])
            bench.radio.setUpLinks { _ in }
            bench.time.advance(by: .milliseconds(500))
            bench.hear()
            #expect(bench.availability() == "online")
        }
    }

    @Test("Events of an old connection are ignored")
    func oldLink() {
        withBridge { bench in
            bench.goOnline()
            let old = bench.link()
            old?.lose()
            bench.hear()
            bench.broker.clearLog()
            old?.notify(SampleFamily.status, [5, 99])
            old?.tell(.lost(reason: "again"))
            #expect(bench.broker.log == [])
            #expect(bench.availability() == "online")
        }
    }
}

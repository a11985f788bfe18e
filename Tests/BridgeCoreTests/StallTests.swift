import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@Suite("A stalled bridge")
struct StallTests {
    private static let address: Address = "AA:BB:CC:00:00:07"

    /// Runs a test with a roller that is online and moves.
    private func withRolling(_ body: (TestBridge, FakeLink) throws -> Void) throws {
        try withLab { lab in
            let settings = BridgeSettings(
                id: "attic", join: .permit,
                devices: [.init(name: "roller", family: "roller", address: Self.address, settings: [:])],
                families: ["roller": [:]], version: "1.0", host: "attic.example")
            let bench = lab.bridge(settings, families: [RollerFamily()])
            bench.connectBroker()
            bench.hear(Self.address, name: "roller")
            bench.letStartPass()
            let link = try #require(bench.link(Self.address))
            bench.send("roll", "5000", device: "roller")
            #expect(link.writes(RollerFamily.motor) == [[1]])
            try body(bench, link)
        }
    }

    private func send(_ bench: TestBridge, _ feature: String, _ payload: String = "") {
        bench.send(feature, payload, device: "roller")
    }

    @Test(
        "A stall stops everything that moves, and requests a new connection to the broker",
        arguments: [Stall.late(.seconds(2)), .suspended(.seconds(3600))])
    func stops(_ stall: Stall) throws {
        try withRolling { bench, link in
            bench.time.stall(stall)
            #expect(link.writes(RollerFamily.motor) == [[1], [0]])
            #expect(bench.client.renewals == 1)
        }
    }

    @Test("A motion whose write was stalled is not sent, but the stop is sent")
    func betweenDecisionAndWrite() throws {
        try withRolling { bench, link in
            bench.time.stallUnnoticed(.late(.seconds(2)))
            send(bench, "roll", "500")
            #expect(link.writes(RollerFamily.motor) == [[1], [0]])
            bench.client.lose("reconnecting on request")
            bench.client.connect()
            // The lease that the stop ended must be over.
            bench.time.advance(by: .seconds(2))
            send(bench, "roll", "500")
            #expect(link.writes(RollerFamily.motor) == [[1], [0], [1]])
        }
    }

    @Test("Of several pending writes, the first detects the stall and none is sent")
    func severalOnTheirWay() throws {
        try withRolling { bench, link in
            bench.time.stallUnnoticed(.late(.seconds(2)))
            send(bench, "spin")
            #expect(link.writes(RollerFamily.motor) == [[1], [0]])
            #expect(link.writes(RollerFamily.power) == [])
        }
        try withRolling { bench, link in
            send(bench, "spin")
            #expect(link.writes(RollerFamily.motor) == [[1], [2]])
            #expect(link.writes(RollerFamily.power) == [[1]])
        }
    }

    @Test("A stop that was stalled before its write is still sent")
    func stopStoodStill() throws {
        try withRolling { bench, link in
            bench.time.stallUnnoticed(.late(.seconds(2)))
            send(bench, "stop")
            #expect(link.writes(RollerFamily.motor) == [[1], [0]])
            #expect(bench.lastResult("roller") == "ok")
        }
    }

    @Test("Commands that piled up are refused until the broker is reconnected, but stops are obeyed")
    func piledUp() throws {
        try withRolling { bench, link in
            bench.time.stall(.late(.seconds(2)))
            for _ in 0..<3 { send(bench, "roll", "500") }
            send(bench, "arm")
            #expect(bench.results("roller").suffix(4).allSatisfy { $0["code"] == "expired" })
            send(bench, "stop")
            #expect(bench.lastResult("roller") == "ok")
            #expect(link.writes(RollerFamily.motor) == [[1], [0], [0]])
            #expect(link.writes(RollerFamily.power) == [])
            bench.client.lose("reconnecting on request")
            send(bench, "roll", "500")
            bench.client.connect()
            // The lease that the stop ended must be over.
            bench.time.advance(by: .seconds(2))
            send(bench, "roll", "500")
            #expect(link.writes(RollerFamily.motor).last == [1])
        }
    }

    @Test("A requested reconnect is no loss of the broker, but a failed reconnect is")
    func lostOnPurpose() throws {
        try withRolling { bench, link in
            bench.time.stall(.late(.seconds(2)))
            let count = link.writes(RollerFamily.motor).count
            bench.client.lose("reconnecting on request")
            #expect(link.writes(RollerFamily.motor).count == count)
            bench.client.lose("connection refused")
            #expect(link.writes(RollerFamily.motor).count == count + 1)
        }
    }

    @Test("A bridge that stalls again while it reconnects does so once more before it accepts commands")
    func lateAgain() throws {
        try withRolling { bench, link in
            bench.time.stall(.late(.seconds(2)))
            bench.client.lose("reconnecting on request")
            bench.time.stall(.late(.seconds(2)))
            let count = bench.client.renewals
            bench.client.connect()
            #expect(bench.client.renewals == count + 1)
            bench.time.advance(by: .milliseconds(500))
            send(bench, "roll", "500")
            #expect(bench.lastResult("roller") == "expired")
            bench.client.lose("reconnecting on request")
            bench.client.connect()
            // The lease that the stop ended must be over.
            bench.time.advance(by: .seconds(2))
            send(bench, "roll", "500")
            #expect(link.writes(RollerFamily.motor).last == [1])
        }
    }

    @Test(
        "A bridge that stalls repeatedly reconnects less and less often, and robots obey only stops until then"
    )
    func overloaded() throws {
        try withRolling { bench, link in
            func reconnect() {
                bench.client.lose("reconnecting on request")
                bench.client.connect()
            }
            for _ in 0..<60 {
                let count = bench.client.renewals
                bench.time.stall(.late(.seconds(1)))
                if bench.client.renewals > count { reconnect() }
                bench.time.advance(by: .seconds(1))
            }
            #expect((3...7).contains(bench.client.renewals))
            send(bench, "roll", "500")
            #expect(bench.lastResult("roller") == "expired")
            let writes = link.writes(RollerFamily.motor).count
            send(bench, "stop")
            #expect(link.writes(RollerFamily.motor).count == writes + 1)

            // The load is gone. After the last reconnect, commands are obeyed again.
            let count = bench.client.renewals
            bench.time.advance(by: .seconds(40))
            #expect(bench.client.renewals == count + 1)
            reconnect()
            bench.time.advance(by: .seconds(2))
            send(bench, "roll", "500")
            #expect(link.writes(RollerFamily.motor).last == [1])
        }
    }

    @Test("A motion command that waited for more than 250 ms is refused")
    func oldCommands() throws {
        try withRolling { bench, link in
            let count = link.writes(RollerFamily.motor).count
            let now = bench.time.now
            for (age, code) in [(250, "ok"), (251, "expired")] {
                bench.broker.send(
                    IncomingMessage(
                        topic: "roller/roll/set", payload: Array(#"{"duration_ms":500,"id":1}"#.utf8),
                        arrival: now - .milliseconds(age)))
                #expect(bench.lastResult("roller") == code)
            }
            #expect(link.writes(RollerFamily.motor).count == count + 1)
        }
    }

    @Test("Stalls are detected only while a device that moves is connected")
    func watching() throws {
        try withRolling { bench, link in
            #expect(bench.time.isDetectingStalls)
            link.lose()
            #expect(!bench.time.isDetectingStalls)
        }
        withBridge { bench in
            bench.goOnline()
            #expect(!bench.time.isDetectingStalls)
        }
    }

    @Test("Before sleep of the host every device is stopped, and the host waits until the stops are written")
    func sleep() throws {
        try withRolling { bench, link in
            link.setHolding(true)
            bench.goToSleep()
            #expect(link.waiting.map(\.characteristic) == [RollerFamily.motor])
            #expect(!bench.isReadyToSleep)
            link.completeNext()
            #expect(bench.isReadyToSleep)
            send(bench, "roll", "500")
            #expect(bench.lastResult("roller") == "expired")
            bench.wakeUp()
            #expect(bench.client.renewals == 1)
        }
    }
}

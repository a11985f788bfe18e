import DBus
import Testing
import VirtualDevices

@testable import BlueZSimulator

@Suite("GATT in the BlueZ simulator")
struct GATTTests {
    @Test("A read is answered and its value signaled, and an offset shortens the value")
    func read() {
        var harness = SimulatorHarness()
        harness.connect()
        #expect(harness.ask("ReadValue", at: SimulatorHarness.value, .properties([:])) == "010203")
        #expect(harness.look() == ["char000d Value=010203"])
        #expect(
            harness.ask("ReadValue", at: SimulatorHarness.value, .properties(["offset": .uint16(2)])) == "03")
        #expect(
            harness.ask("ReadValue", at: SimulatorHarness.value, .properties(["offset": .uint16(9)]))
                == "InvalidArguments: Invalid offset")
        #expect(
            harness.ask("ReadValue", at: SimulatorHarness.value, .properties(["offset": .string("x")]))
                == "InvalidArguments: Invalid arguments in method call")
        #expect(
            harness.ask("ReadValue", at: SimulatorHarness.echo, .properties([:]))
                == "NotPermitted: Read not permitted")
    }

    @Test("Identical reads share one answer, a different offset waits, and a lost connection ends all reads")
    func sharedRead() {
        var harness = SimulatorHarness(faults: [.init(.slow(.milliseconds(100)))])
        harness.connect()
        let first = harness.call("ReadValue", at: SimulatorHarness.value, .properties([:]))
        let second = harness.call("ReadValue", at: SimulatorHarness.value, .properties([:]), by: ":1.2")
        #expect(
            harness.ask("ReadValue", at: SimulatorHarness.value, .properties(["offset": .uint16(1)]))
                == "InProgress: In Progress")
        #expect(harness.answers[first] == nil)
        harness.pass(.milliseconds(100))
        #expect(harness.answers[first] == "010203" && harness.answers[second] == "010203")
        let third = harness.call("ReadValue", at: SimulatorHarness.value, .properties([:]))
        let fourth = harness.call("WriteValue", at: SimulatorHarness.echo, .bytes([1]), .properties([:]))
        #expect(
            harness.ask(
                "WriteValue", at: SimulatorHarness.echo, .bytes([2]),
                .properties(["type": .string("command")]))
                == "InProgress: In Progress")
        harness.line("drop tester")
        #expect(harness.answers[third] == "Failed: Operation failed with ATT error: 0x0e")
        #expect(harness.answers[fourth] == "Failed: Operation failed with ATT error: 0x0e")
    }

    @Test(
        "The kind of a write depends on the client and the characteristic, and invalid writes are rejected",
        arguments: [
            (SimulatorHarness.echo, 3, nil, ""), (SimulatorHarness.echo, 3, "request", ""),
            (SimulatorHarness.echo, 3, "command", ""),
            (SimulatorHarness.echo, 3, "reliable", ""),
            (SimulatorHarness.echo, 3, "bogus", "NotSupported: Operation is not supported"),
            (SimulatorHarness.echo, 512, nil, ""),
            (SimulatorHarness.echo, 513, nil, "InvalidArguments: Invalid Length"),
            (SimulatorHarness.echo, 244, "command", ""),
            (SimulatorHarness.echo, 245, "command", "Failed: Failed to initiate write"),
            (SimulatorHarness.value, 3, nil, "NotSupported: Operation is not supported"),
            (SimulatorHarness.value, 3, "request", "Failed: Operation failed with ATT error: 0x80"),
            (SimulatorHarness.value, 3, "command", ""),
        ] as [(ObjectPath, Int, String?, String)])
    func write(path: ObjectPath, count: Int, type: String?, answer: String) {
        var harness = SimulatorHarness()
        harness.connect()
        let options: [String: Value] = type.map { ["type": .string($0)] } ?? [:]
        let bytes = [UInt8](repeating: 7, count: count)
        #expect(harness.ask("WriteValue", at: path, .bytes(bytes), .properties(options)) == answer)
    }

    @Test("A notification is signaled once per subscribed client, and only while a client is subscribed")
    func notify() {
        var harness = SimulatorHarness()
        harness.connect()
        func write() {
            _ = harness.ask("WriteValue", at: SimulatorHarness.echo, .bytes([9]), .properties([:]))
        }
        write()
        #expect(harness.look() == [])
        #expect(harness.ask("StopNotify", at: SimulatorHarness.echo) == "Failed: No notify session started")
        #expect(harness.ask("StartNotify", at: SimulatorHarness.echo) == "")
        #expect(harness.ask("StartNotify", at: SimulatorHarness.echo) == "")
        #expect(harness.look() == ["char0010 Notifying=true"])
        write()
        #expect(harness.look() == ["char0010 Value=09"])
        #expect(harness.ask("StartNotify", at: SimulatorHarness.echo, by: ":1.2") == "")
        write()
        #expect(harness.look() == ["char0010 Value=09", "char0010 Value=09"])
        #expect(harness.ask("StopNotify", at: SimulatorHarness.echo) == "")
        #expect(harness.look() == [])
        harness.leave(":1.2")
        #expect(harness.look() == ["char0010 Notifying=false"])
        write()
        #expect(harness.look() == [])
    }

    @Test("A subscription outlasts the connection, and without a connection it starts with the next one")
    func keptSubscription() {
        var harness = SimulatorHarness()
        harness.connect()
        harness.call("StartNotify", at: SimulatorHarness.echo)
        harness.line("drop tester")
        #expect(harness.ask("StartNotify", at: SimulatorHarness.value) == "")
        _ = harness.look()
        harness.call("Connect", at: SimulatorHarness.device)
        harness.pass(.seconds(1))
        #expect(
            harness.look() == [
                "dev Connected=true", "char000d Notifying=true", "dev + Battery1",
                "dev ServicesResolved=true",
            ])
        harness.call("WriteValue", at: SimulatorHarness.echo, .bytes([5]), .properties([:]))
        #expect(harness.look() == ["char0010 Value=05"])
    }

    @Test("A configuration descriptor can be read, and only StartNotify can write it")
    func descriptor() {
        var harness = SimulatorHarness()
        harness.connect()
        let path = SimulatorHarness.echo.appending("desc0012")
        #expect(harness.ask("ReadValue", at: path, .properties([:])) == "0000")
        harness.call("StartNotify", at: SimulatorHarness.echo)
        #expect(harness.ask("ReadValue", at: path, .properties([:])) == "0100")
        #expect(
            harness.ask("WriteValue", at: path, .bytes([0, 0]), .properties([:]))
                == "NotPermitted: Write not permitted")
    }

    @Test("The battery level is signaled as Battery1 without a subscription, and also as a value with one")
    func battery() {
        var harness = SimulatorHarness()
        harness.connect()
        harness.line("tester level 42")
        #expect(harness.look() == ["dev Percentage=42"])
        harness.call("StartNotify", at: SimulatorHarness.battery)
        _ = harness.look()
        harness.line("tester level 41")
        #expect(harness.look() == ["char0017 Value=29", "dev Percentage=41"])
    }

    @Test("A socket for notifications belongs to one client, and other clients cannot subscribe")
    func acquireNotify() throws {
        var harness = SimulatorHarness()
        harness.connect()
        harness.others = []
        let call = harness.call("AcquireNotify", at: SimulatorHarness.echo, .properties([:]))
        guard case .openChannel(let channel, call, 247) = harness.others.first else {
            Issue.record("no socket: \(harness.others)")
            return
        }
        #expect(harness.look() == ["char0010 NotifyAcquired=true"])
        for member in ["AcquireNotify", "StartNotify"] {
            #expect(
                harness.ask(member, at: SimulatorHarness.echo, by: ":1.2") == "NotPermitted: Notify acquired")
        }
        harness.call("WriteValue", at: SimulatorHarness.echo, .bytes([4]), .properties([:]))
        #expect(harness.others.contains(.send(channel, [4])))
        #expect(harness.ask("StopNotify", at: SimulatorHarness.echo) == "")
        #expect(harness.look() == ["char0010 NotifyAcquired=false"])
        #expect(harness.others.contains(.closeChannel(channel)))
        #expect(harness.ask("StartNotify", at: SimulatorHarness.echo) == "")
        #expect(
            harness.ask("AcquireNotify", at: SimulatorHarness.echo, .properties([:]))
                == "InProgress: In Progress")
    }

    @Test("A socket for writes writes without response, and other clients cannot write")
    func acquireWrite() {
        var harness = SimulatorHarness()
        harness.connect()
        harness.others = []
        harness.call("StartNotify", at: SimulatorHarness.echo)
        let call = harness.call("AcquireWrite", at: SimulatorHarness.echo, .properties([:]))
        guard case .openChannel(let channel, call, 247) = harness.others.first else {
            Issue.record("no socket: \(harness.others)")
            return
        }
        #expect(
            harness.ask("WriteValue", at: SimulatorHarness.echo, .bytes([1]), .properties([:]))
                == "NotPermitted: Write acquired")
        _ = harness.look()
        _ = harness.daemon.received([7, 8], from: channel, at: harness.now).map { output in
            if case .changed(_, _, let properties) = output {
                #expect(properties == [.init("Value", .bytes([7, 8]))])
            }
        }
        _ = harness.daemon.closed(channel: channel, at: harness.now)
        #expect(harness.ask("WriteValue", at: SimulatorHarness.echo, .bytes([1]), .properties([:])) == "")
        #expect(
            harness.ask("AcquireWrite", at: SimulatorHarness.value, .properties([:]))
                == "NotSupported: Operation is not supported")
    }
}

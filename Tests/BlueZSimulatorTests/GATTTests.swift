import DBus
import Testing
import VirtualDevices

@testable import BlueZSimulator

@Suite("GATT in the BlueZ simulator")
struct GATTTests {
    @Test("A read is answered and its value signaled, and an offset shortens the value")
    func read() {
        var bench = Bench()
        bench.connect()
        #expect(bench.ask("ReadValue", at: Bench.value, .properties([:])) == "010203")
        #expect(bench.look() == ["char000d Value=010203"])
        #expect(bench.ask("ReadValue", at: Bench.value, .properties(["offset": .uint16(2)])) == "03")
        #expect(
            bench.ask("ReadValue", at: Bench.value, .properties(["offset": .uint16(9)]))
                == "InvalidArguments: Invalid offset")
        #expect(
            bench.ask("ReadValue", at: Bench.value, .properties(["offset": .string("x")]))
                == "InvalidArguments: Invalid arguments in method call")
        #expect(
            bench.ask("ReadValue", at: Bench.echo, .properties([:])) == "NotPermitted: Read not permitted")
    }

    @Test("Identical reads share one answer, a different offset waits, and a lost connection ends all reads")
    func sharedRead() {
        var bench = Bench(faults: [.init(.slow(.milliseconds(100)))])
        bench.connect()
        let first = bench.call("ReadValue", at: Bench.value, .properties([:]))
        let second = bench.call("ReadValue", at: Bench.value, .properties([:]), by: ":1.2")
        #expect(
            bench.ask("ReadValue", at: Bench.value, .properties(["offset": .uint16(1)]))
                == "InProgress: In Progress")
        #expect(bench.answers[first] == nil)
        bench.pass(.milliseconds(100))
        #expect(bench.answers[first] == "010203" && bench.answers[second] == "010203")
        let third = bench.call("ReadValue", at: Bench.value, .properties([:]))
        let fourth = bench.call("WriteValue", at: Bench.echo, .bytes([1]), .properties([:]))
        #expect(
            bench.ask("WriteValue", at: Bench.echo, .bytes([2]), .properties(["type": .string("command")]))
                == "InProgress: In Progress")
        bench.line("drop tester")
        #expect(bench.answers[third] == "Failed: Operation failed with ATT error: 0x0e")
        #expect(bench.answers[fourth] == "Failed: Operation failed with ATT error: 0x0e")
    }

    @Test(
        "The kind of a write depends on the client and the characteristic, and invalid writes are rejected",
        arguments: [
            (Bench.echo, 3, nil, ""), (Bench.echo, 3, "request", ""), (Bench.echo, 3, "command", ""),
            (Bench.echo, 3, "reliable", ""),
            (Bench.echo, 3, "bogus", "NotSupported: Operation is not supported"),
            (Bench.echo, 512, nil, ""), (Bench.echo, 513, nil, "InvalidArguments: Invalid Length"),
            (Bench.echo, 244, "command", ""),
            (Bench.echo, 245, "command", "Failed: Failed to initiate write"),
            (Bench.value, 3, nil, "NotSupported: Operation is not supported"),
            (Bench.value, 3, "request", "Failed: Operation failed with ATT error: 0x80"),
            (Bench.value, 3, "command", ""),
        ] as [(ObjectPath, Int, String?, String)])
    func write(path: ObjectPath, count: Int, type: String?, answer: String) {
        var bench = Bench()
        bench.connect()
        let options: [String: Value] = type.map { ["type": .string($0)] } ?? [:]
        let bytes = [UInt8](repeating: 7, count: count)
        #expect(bench.ask("WriteValue", at: path, .bytes(bytes), .properties(options)) == answer)
    }

    @Test("A notification is signaled once per subscribed client, and only while a client is subscribed")
    func notify() {
        var bench = Bench()
        bench.connect()
        func write() { _ = bench.ask("WriteValue", at: Bench.echo, .bytes([9]), .properties([:])) }
        write()
        #expect(bench.look() == [])
        #expect(bench.ask("StopNotify", at: Bench.echo) == "Failed: No notify session started")
        #expect(bench.ask("StartNotify", at: Bench.echo) == "")
        #expect(bench.ask("StartNotify", at: Bench.echo) == "")
        #expect(bench.look() == ["char0010 Notifying=true"])
        write()
        #expect(bench.look() == ["char0010 Value=09"])
        #expect(bench.ask("StartNotify", at: Bench.echo, by: ":1.2") == "")
        write()
        #expect(bench.look() == ["char0010 Value=09", "char0010 Value=09"])
        #expect(bench.ask("StopNotify", at: Bench.echo) == "")
        #expect(bench.look() == [])
        bench.leave(":1.2")
        #expect(bench.look() == ["char0010 Notifying=false"])
        write()
        #expect(bench.look() == [])
    }

    @Test("A subscription outlasts the connection, and without a connection it starts with the next one")
    func keptSubscription() {
        var bench = Bench()
        bench.connect()
        bench.call("StartNotify", at: Bench.echo)
        bench.line("drop tester")
        #expect(bench.ask("StartNotify", at: Bench.value) == "")
        _ = bench.look()
        bench.call("Connect", at: Bench.device)
        bench.pass(.seconds(1))
        #expect(
            bench.look() == [
                "dev Connected=true", "char000d Notifying=true", "dev + Battery1",
                "dev ServicesResolved=true",
            ])
        bench.call("WriteValue", at: Bench.echo, .bytes([5]), .properties([:]))
        #expect(bench.look() == ["char0010 Value=05"])
    }

    @Test("A configuration descriptor can be read, and only StartNotify can write it")
    func descriptor() {
        var bench = Bench()
        bench.connect()
        let path = Bench.echo.appending("desc0012")
        #expect(bench.ask("ReadValue", at: path, .properties([:])) == "0000")
        bench.call("StartNotify", at: Bench.echo)
        #expect(bench.ask("ReadValue", at: path, .properties([:])) == "0100")
        #expect(
            bench.ask("WriteValue", at: path, .bytes([0, 0]), .properties([:]))
                == "NotPermitted: Write not permitted")
    }

    @Test("The battery level is signaled as Battery1 without a subscription, and also as a value with one")
    func battery() {
        var bench = Bench()
        bench.connect()
        bench.line("tester level 42")
        #expect(bench.look() == ["dev Percentage=42"])
        bench.call("StartNotify", at: Bench.battery)
        _ = bench.look()
        bench.line("tester level 41")
        #expect(bench.look() == ["char0017 Value=29", "dev Percentage=41"])
    }

    @Test("A socket for notifications belongs to one client, and other clients cannot subscribe")
    func acquireNotify() throws {
        var bench = Bench()
        bench.connect()
        bench.others = []
        let call = bench.call("AcquireNotify", at: Bench.echo, .properties([:]))
        guard case .openChannel(let channel, call, 247) = bench.others.first else {
            Issue.record("no socket: \(bench.others)")
            return
        }
        #expect(bench.look() == ["char0010 NotifyAcquired=true"])
        for member in ["AcquireNotify", "StartNotify"] {
            #expect(bench.ask(member, at: Bench.echo, by: ":1.2") == "NotPermitted: Notify acquired")
        }
        bench.call("WriteValue", at: Bench.echo, .bytes([4]), .properties([:]))
        #expect(bench.others.contains(.send(channel, [4])))
        #expect(bench.ask("StopNotify", at: Bench.echo) == "")
        #expect(bench.look() == ["char0010 NotifyAcquired=false"])
        #expect(bench.others.contains(.closeChannel(channel)))
        #expect(bench.ask("StartNotify", at: Bench.echo) == "")
        #expect(bench.ask("AcquireNotify", at: Bench.echo, .properties([:])) == "InProgress: In Progress")
    }

    @Test("A socket for writes writes without response, and other clients cannot write")
    func acquireWrite() {
        var bench = Bench()
        bench.connect()
        bench.others = []
        bench.call("StartNotify", at: Bench.echo)
        let call = bench.call("AcquireWrite", at: Bench.echo, .properties([:]))
        guard case .openChannel(let channel, call, 247) = bench.others.first else {
            Issue.record("no socket: \(bench.others)")
            return
        }
        #expect(
            bench.ask("WriteValue", at: Bench.echo, .bytes([1]), .properties([:]))
                == "NotPermitted: Write acquired")
        _ = bench.look()
        _ = bench.daemon.received([7, 8], from: channel, at: bench.now).map { output in
            if case .changed(_, _, let properties) = output {
                #expect(properties == [.init("Value", .bytes([7, 8]))])
            }
        }
        _ = bench.daemon.closed(channel: channel, at: bench.now)
        #expect(bench.ask("WriteValue", at: Bench.echo, .bytes([1]), .properties([:])) == "")
        #expect(
            bench.ask("AcquireWrite", at: Bench.value, .properties([:]))
                == "NotSupported: Operation is not supported")
    }
}

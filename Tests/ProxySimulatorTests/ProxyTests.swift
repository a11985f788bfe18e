import Bluetooth
import ESPHome
import Testing
import VirtualDevices

@testable import ProxySimulator

@Suite("Simulated proxy: clients")
struct ProxyClientTests {
    private static let running = Message.scannerState(ScannerState(state: 2, mode: 1, configuredMode: 1))

    @Test("Before its hello a client may only ping and disconnect")
    func hello() {
        var run = ProxyRun()
        _ = run.proxy.opened(client: 2, at: run.now)
        #expect(run.send(.ping(NoFields()), from: 2) == [.send(2, .pingReply(NoFields()))])
        #expect(run.send(.deviceInfo(NoFields()), from: 2) == [.close(2)])
        _ = run.proxy.opened(client: 3, at: run.now)
        #expect(
            run.send(.disconnect(Disconnect()), from: 3) == [
                .send(3, .disconnectReply(NoFields())), .close(3),
            ])
    }

    @Test("A client that does not send hello within 60 s is dropped")
    func helloTimeout() {
        var run = ProxyRun()
        _ = run.proxy.opened(client: 2, at: run.now)
        #expect(!run.pass(.milliseconds(59_999)).contains(.close(2)))
        #expect(run.pass(.milliseconds(1)).contains(.close(2)))
    }

    @Test("A silent client is pinged after 60 s and dropped after 150 s; an answer keeps it")
    func silence() {
        var run = ProxyRun()
        #expect(run.pass(.seconds(60)) == [.send(1, .ping(NoFields()))])
        #expect(run.send(.pingReply(NoFields())) == [])
        #expect(run.pass(.seconds(60)) == [.send(1, .ping(NoFields()))])
        #expect(run.pass(.milliseconds(89_999)) == [])
        #expect(run.pass(.milliseconds(1)) == [.close(1)])
    }

    @Test("The sixth client is closed at once")
    func places() {
        var run = ProxyRun()
        for client in 2...5 { #expect(run.proxy.opened(client: client, at: run.now) == []) }
        #expect(run.proxy.opened(client: 6, at: run.now) == [.close(6)])
    }

    @Test("Up to 2026.6 the first subscriber stays and a second one gets no answer")
    func firstStays() {
        var run = ProxyRun(.v2026_6)
        run.greet(2)
        #expect(run.send(.subscribe(Subscribe(flags: 1)), from: 2) == [])
        #expect(run.send(.subscribe(Subscribe(flags: 1)), from: 1) == [])
        #expect(run.proxy.subscriber == 1)
        _ = run.proxy.closed(client: 1, at: run.now)
        #expect(run.send(.subscribe(Subscribe(flags: 1)), from: 2) == [.send(2, Self.running)])
    }

    @Test("From 2026.7 the newest subscriber replaces the former one, whose connections stay open")
    func newestWins() {
        var run = ProxyRun(.v2026_10)
        run.connect()
        run.greet(2)
        #expect(run.send(.subscribe(Subscribe(flags: 1)), from: 2) == [.send(2, Self.running)])
        #expect(run.proxy.links[ProxyRun.belt]?.state == .open)
        // A replaced client is still obeyed, but the answer goes to the subscriber.
        let request = Message.read(Attribute(address: Address(number: 1), handle: 1))
        let answer = GATTFailure(address: Address(number: 1), handle: 1, error: -1)
        #expect(run.send(request) == [.send(2, .failure(answer))])
    }

    @Test(
        "All connections end with the subscriber's connection, or its subscription", arguments: [true, false])
    func end(isClosed: Bool) {
        var run = ProxyRun()
        run.connect()
        if isClosed {
            _ = run.proxy.closed(client: 1, at: run.now)
        } else {
            run.send(.unsubscribe(NoFields()))
        }
        #expect(run.proxy.links.isEmpty)
        #expect(run.proxy.air.accepts("belt", from: 0))
    }

    @Test(
        "The subscriber receives every device in batches every 100 ms, and without scan responses in passive mode"
    )
    func advertisements() throws {
        var run = ProxyRun()
        func batch() -> RawAdvertisements? {
            run.now += .milliseconds(100)
            let messages = ProxyRun.messages(run.proxy.advance(to: run.now))
            return messages.compactMap { if case .advertisements(let batch) = $0 { batch } else { nil } }
                .first
        }
        let active = try #require(batch())
        #expect(active.advertisements.map(\.address) == [ProxyRun.belt, ProxyRun.robot, ProxyRun.tap])
        let belt = try #require(active.advertisements.first)
        #expect(belt.addressType == 1)
        #expect(Hex.string(belt.data).hasPrefix("0201060303" + "51fe"))
        #expect(String(decoding: belt.data, as: UTF8.self).contains("naviGuertel-sim"))
        #expect(belt.data.count <= 62)
        run.send(.setScannerMode(SetScannerMode(mode: 0)))
        let passive = try #require(batch())
        let other = try #require(passive.advertisements.first)
        #expect(other.data.count <= 31 && belt.data.starts(with: other.data))
    }

    @Test("The proxy restarts after it has informed its clients, and devices keep the connection for 8 s")
    func reboot() {
        var run = ProxyRun()
        run.connect()
        #expect(run.line("proxy reboot") == [.send(1, .disconnect(Disconnect()))])
        #expect(run.pass(.seconds(1)) == [.close(1), .reachable(false)])
        #expect(run.proxy.air.world.peripheral("belt") != nil && !run.proxy.air.world.isAdvertising("belt"))
        run.pass(.milliseconds(7_999))
        #expect(!run.proxy.air.world.isAdvertising("belt"))
        run.now += .milliseconds(1)
        let isReported = run.proxy.advance(to: run.now).contains {
            if case .report(let report) = $0 { report.event == .link(false) } else { false }
        }
        #expect(isReported && run.proxy.air.world.isAdvertising("belt"))
        #expect(run.pass(.seconds(2)) == [.reachable(true)])
        run.greet(1)
        let slots = Message.slots(Slots(free: 3, limit: 3))
        #expect(run.send(.subscribeSlots(NoFields())) == [.send(1, slots)])
    }

    @Test("Without Wi-Fi clients get no message and connections end; with Wi-Fi they are closed")
    func wifi() {
        var run = ProxyRun()
        run.connect()
        #expect(run.line("proxy wifi off") == [.abandon(1), .reachable(false)])
        #expect(run.proxy.air.accepts("belt", from: 0))
        #expect(run.line("proxy wifi on") == [.reachable(true)])
    }

    @Test(
        "An unknown line is reported with the allowed lines",
        arguments: ["proxy", "proxy slow 10001", "proxy wifi"])
    func mistakes(_ line: String) throws {
        var run = ProxyRun()
        let outputs = run.proxy.perform(line: line, at: run.now)
        guard case .report(let report) = try #require(outputs.first), case .error(let text) = report.event
        else {
            Issue.record("\(outputs)")
            return
        }
        #expect(text == "'\(line)' is not understood; a proxy accepts: \(ProxyLine.expected)")
    }
}

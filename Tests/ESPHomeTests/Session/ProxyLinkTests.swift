import Bluetooth
import ESPHome
import Testing

@testable import ProxyClient

@Suite("Session with a proxy: connections")
struct ProxyLinkTests {
    private static let strap = SessionRun.strap
    private static let disconnect = Message.device(DeviceRequest(.disconnect, strap))

    private static func connection(_ error: Int32 = 0) -> Message {
        .connection(Connection(address: strap, error: error))
    }

    private static func connected(_ mtu: UInt32 = 247) -> Message {
        .connection(Connection(address: strap, isConnected: true, mtu: mtu))
    }

    private static func slots(_ addresses: [Address]) -> Message {
        .slots(Slots(free: 3 - UInt32(addresses.count), limit: 3, allocated: addresses.map(\.number)))
    }

    @Test("A device is connected when its services are known", arguments: [(0, 23), (185, 185), (9999, 517)])
    func connect(_ mtu: UInt32, _ expected: Int) {
        var run = SessionRun.subscribed()
        #expect(run.connect().sent == [SessionRun.request])
        #expect(run.receive(Self.connected(mtu)).sent == [.getServices(DeviceOnly(address: Self.strap))])
        run.receive(SessionRun.services())
        run.receive(SessionRun.services())
        let event = run.receive(.servicesDone(DeviceOnly(address: Self.strap))).events.first
        guard case .connected(Self.strap, mtu: expected, let services)? = event else {
            Issue.record("\(String(describing: event))")
            return
        }
        #expect(services.map(\.uuid) == [0x180D, 0x180D])
    }

    @Test(
        "A failed attempt has the reason of the proxy",
        arguments: [(0, .noSlot), (0x85, .code(0x85)), (0x3E, .code(0x3E))]
            as [(Int32, ProxySession.LinkFailure)])
    func failed(_ error: Int32, _ failure: ProxySession.LinkFailure) {
        var run = SessionRun.subscribed()
        run.connect()
        #expect(run.receive(Self.connection(error)).events == [.connectFailed(Self.strap, failure)])
        #expect(run.connect().sent == [SessionRun.request])
    }

    @Test("An attempt is canceled after 25 s, and given up 10 s later")
    func timeout() {
        for isAnswered in [true, false] {
            var run = SessionRun.subscribed()
            run.connect()
            #expect(!run.pass(.milliseconds(24_999)).sent.contains(Self.disconnect))
            let step = run.pass(.milliseconds(1))
            #expect(step.sent.contains(Self.disconnect) && step.events == [])
            #expect(run.connect().events == [.connectFailed(Self.strap, .busy)])
            let end = isAnswered ? run.receive(Self.connection(0x100)) : run.pass(.seconds(10))
            #expect(end.events == [.connectFailed(Self.strap, .timedOut)])
        }
    }

    @Test("Without a complete list of services, the connection is closed and the proxy's cache cleared")
    func noServices() {
        let clear = Message.device(DeviceRequest(.clearCache, Self.strap))
        for isLate in [true, false] {
            var run = SessionRun.subscribed()
            run.connect()
            run.receive(Self.connected())
            let step =
                isLate
                ? run.pass(.seconds(30)) : run.receive(.servicesDone(DeviceOnly(address: Self.strap)))
            #expect(step.sent.filter { $0 != .ping(NoFields()) } == [Self.disconnect, clear])
            #expect(
                run.receive(Self.connection(0x16)).events == [.connectFailed(Self.strap, .noServices)])
        }
    }

    @Test("A list with more than 4096 attributes is refused")
    func tooMany() {
        var run = SessionRun.subscribed()
        run.connect()
        run.receive(Self.connected())
        let part = [ServiceEntry](repeating: ServiceEntry(), count: 4096)
        #expect(run.receive(.services(Services(address: Self.strap, services: part))).sent == [])
        #expect(run.receive(SessionRun.services()).sent.first == Self.disconnect)
    }

    @Test("An open connection ends once, also if the proxy reports its end twice")
    func lost() {
        var run = SessionRun.connected()
        #expect(run.receive(Self.connection(0x08)).events == [.disconnected(Self.strap, .code(0x08))])
        #expect(run.receive(Self.connection(0x08)).events == [])
    }

    @Test("A device whose slot is not free yet is connected when it is, whatever the proxy repeats")
    func reconnect() {
        var run = SessionRun.connected()
        run.receive(Self.slots([Self.strap]))
        run.receive(Self.connection(0x08))
        let early = run.connect()
        #expect(early.sent == [] && early.events == [])
        #expect(run.receive(Self.connection(0x08)).events == [])
        #expect(run.receive(Self.slots([])).sent == [SessionRun.request])
        // Without the slot, the attempt fails after 10 s.
        run = SessionRun.connected()
        run.receive(Self.slots([Self.strap]))
        run.receive(Self.connection(0x08))
        run.connect()
        #expect(run.pass(.seconds(10)).events == [.connectFailed(Self.strap, .timedOut)])
    }

    @Test("A connection that remains from an earlier session is closed first")
    func stale() {
        var run = SessionRun.subscribed()
        run.receive(Self.slots([Self.strap]))
        #expect(run.connect().sent == [Self.disconnect])
        #expect(run.receive(Self.connection(0x16)).events == [])
        #expect(run.receive(Self.slots([])).sent == [SessionRun.request])
    }

    @Test("A connection that was not requested is closed")
    func unrequested() {
        var run = SessionRun.subscribed()
        #expect(run.receive(Self.connected()).sent == [Self.disconnect])
        #expect(run.receive(Self.connection()).events == [])
    }

    @Test("A requested end is reported at once, and its answer changes nothing")
    func requested() {
        var run = SessionRun.connected()
        run.perform(.read)
        let step = run.disconnect()
        #expect(step.sent == [Self.disconnect])
        #expect(step.events == [.disconnected(Self.strap, .requested)])
        #expect(step.results.count == 1)
        #expect(run.disconnect().sent == [])
        #expect(run.receive(Self.connection(0x16)).events == [])
        #expect(run.session.links.isEmpty)
    }
}

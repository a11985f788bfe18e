import Bluetooth
import ESPHome
import Testing

@testable import ProxyClient

@Suite("Session with a proxy: subscription")
struct SubscriptionTests {
    private static let subscribe = Message.subscribe(Subscribe(flags: 1))
    private static let check = Message.read(Attribute(address: Address(number: 1), handle: 1))
    private static let answer = Message.failure(
        GATTFailure(address: Address(number: 1), handle: 1, error: -1))

    private static func states(_ step: SessionRun.Step) -> [ProxySession.SubscriptionState] {
        step.events.compactMap { if case .subscription(let state) = $0 { state } else { nil } }
    }

    /// The messages apart from pings.
    private static func requests(_ step: SessionRun.Step) -> [Message] {
        step.sent.filter { $0 != .ping(NoFields()) }
    }

    @Test("Without an answer, another client is the subscriber; attempts follow after 10, 30, 60 and 60 s")
    func refused() {
        var run = SessionRun()
        run.identify("2026.6.5")
        #expect(Self.states(run.pass(.milliseconds(4_999))) == [])
        #expect(Self.states(run.pass(.milliseconds(1))) == [.refused])
        for pause in [10, 30, 60, 60] {
            #expect(Self.requests(run.pass(.seconds(pause) - .milliseconds(1))) == [])
            #expect(Self.requests(run.pass(.milliseconds(1))) == [Self.subscribe])
            #expect(Self.states(run.pass(.seconds(5))) == [])
        }
        #expect(run.connect().events == [.connectFailed(SessionRun.strap, .unavailable)])
        #expect(Self.states(run.receive(SessionRun.running)) == [.active])
        #expect(run.connect().sent == [SessionRun.request])
    }

    @Test("Firmware without scanner states confirms the subscription with the answer to a check")
    func oldFirmware() {
        var run = SessionRun()
        #expect(run.identify("2024.10.0", features: 0x3F).sent.suffix(2) == [Self.subscribe, Self.check])
        #expect(Self.states(run.receive(Self.answer)) == [.active])
    }

    @Test("Every message that only the subscriber receives postpones the check")
    func evidence() {
        var run = SessionRun.subscribed()
        #expect(Self.requests(run.pass(.seconds(59))) == [])
        run.receive(.advertisements(RawAdvertisements()))
        #expect(Self.requests(run.pass(.seconds(59))) == [])
        run.receive(SessionRun.noSlots)
        #expect(Self.requests(run.pass(.seconds(1))) == [Self.check])
    }

    @Test("A subscriber that receives the answer to the check stays the subscriber")
    func checked() {
        var run = SessionRun.subscribed()
        run.pass(.seconds(60))
        #expect(Self.states(run.receive(Self.answer)) == [])
        #expect(Self.states(run.pass(.seconds(59))) == [])
    }

    @Test("From 2026.7, a replaced client releases its devices and never subscribes again by itself")
    func displaced() {
        for version in ["2026.7.0", "2026.10.0", "2027.1.0-dev", ""] {
            var run = SessionRun.subscribed(version)
            run.connect()
            run.receive(.connection(Connection(address: SessionRun.strap, isConnected: true, mtu: 100)))
            run.receive(SessionRun.services())
            run.receive(.servicesDone(DeviceOnly(address: SessionRun.strap)))
            #expect(Self.requests(run.pass(.seconds(60))) == [Self.check])
            let step = run.pass(.seconds(5))
            #expect(
                step.events == [
                    .subscription(.displaced), .disconnected(SessionRun.strap, .unavailable),
                ])
            #expect(Self.requests(step) == [.device(DeviceRequest(.disconnect, SessionRun.strap))])
            #expect(run.connect().events == [.connectFailed(SessionRun.strap, .unavailable)])
            #expect(Self.requests(run.pass(.seconds(3600))) == [])
            let claim = run.step(run.session.subscribe(at: run.now))
            #expect(claim.sent == [Self.subscribe])
            #expect(Self.states(run.receive(SessionRun.running)) == [.active])
        }
    }

    @Test("Up to 2026.6 no client replaces the subscriber: without an answer to the check, the session ends")
    func lost() {
        var run = SessionRun.subscribed("2026.6.5")
        run.pass(.seconds(60))
        let step = run.pass(.seconds(5))
        #expect((step.failure, Self.states(step)) == (.silent, []))
    }

    @Test("A session that may not subscribe waits until it may, and then subscribes once")
    func notAllowed() {
        var run = SessionRun(maySubscribe: false)
        let step = run.identify()
        #expect(step.sent.last == .subscribeSlots(NoFields()))
        #expect(Self.states(step) == [.withheld])
        #expect(Self.requests(run.pass(.seconds(3600))) == [])
        #expect(run.step(run.session.subscribe(at: run.now)).sent == [Self.subscribe])
        #expect(run.step(run.session.subscribe(at: run.now)).sent == [])
        #expect(Self.states(run.receive(SessionRun.running)) == [.active])
    }
}

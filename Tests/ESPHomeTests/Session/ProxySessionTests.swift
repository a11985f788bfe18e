import Bluetooth
import HostTesting
import Testing

@testable import ESPHome
@testable import ProxyClient

@Suite("Session with a proxy: start and end")
struct ProxySessionTests {
    @Test("With a key, the first messages are those of Home Assistant's client, byte by byte")
    func vectors() throws {
        let transport = ClientTransport(
            key: VectorFile.hex("psk"), ephemeral: VectorFile.hex("client_ephemeral_private"))
        var session = ProxySession(transport: transport, mac: "C0:FF:EE:00:00:01", at: .zero)
        let client = VectorFile.frames("frames", of: "client")
        let proxy = VectorFile.frames("frames", of: "proxy")
        let (requests, replies) = (
            VectorFile.frames("transport", of: "client"), VectorFile.frames("transport", of: "proxy")
        )
        #expect(session.start() == [.send(client.flatMap(\.self))])
        #expect(session.received(proxy[0], at: .zero) == [])
        #expect(session.received(proxy[1], at: .zero) == [.send(requests[0])])
        #expect(session.received(replies[0], at: .zero) == [.send(requests[1])])
        let outputs = session.received(replies[1], at: .zero)
        guard case .event(.identified(let info)) = try #require(outputs.first) else {
            Issue.record("\(outputs)")
            return
        }
        #expect((info.name, info.mac) == ("attic-proxy", "C0:FF:EE:00:00:01"))
        #expect(outputs.count == 3)
    }

    @Test("After hello and description, the client asks for the slots and subscribes")
    func start() {
        var run = SessionRun(mac: "C0:FF:EE:00:00:01")
        let step = run.identify()
        #expect(
            step.sent == [
                .hello(Hello(client: "tactile-bridge", major: 1, minor: 19)), .deviceInfo(NoFields()),
                .subscribeSlots(NoFields()), .subscribe(Subscribe(flags: 1)),
            ])
        #expect(step.events.count == 1)
        #expect(run.receive(SessionRun.running).events.first == .subscription(.active))
    }

    @Test("Firmware before 2026.1 gets an empty password", arguments: [13, 14] as [UInt32])
    func password(minor: UInt32) {
        var run = SessionRun()
        _ = run.start()
        let sent = run.receive(.helloReply(HelloReply(major: 1, minor: minor))).sent
        let authentication = Message.authentication(Authentication())
        #expect(sent == (minor < 14 ? [authentication] : []) + [.deviceInfo(NoFields())])
    }

    @Test("A proxy that cannot be used is refused with the reason")
    func refused() {
        var run = SessionRun(mac: SessionRun.board)
        #expect(run.identify().failure == .otherNode("C0:FF:EE:00:00:01"))
        run = SessionRun()
        #expect(run.identify(features: 0x41).failure == .features(.rawAdvertisements))
        run = SessionRun()
        _ = run.start()
        #expect(run.receive(.helloReply(HelloReply(major: 3))).failure == .version(3))
        run = SessionRun()
        _ = run.start()
        _ = run.receive(.helloReply(HelloReply(major: 1)))
        #expect(run.receive(.authenticationReply(AuthenticationReply())).failure == nil)
        let refusal = AuthenticationReply(isInvalid: true)
        #expect(run.receive(.authenticationReply(refusal)).failure == .wrongPassword)
    }

    @Test("Invalid bytes and payloads end the session, and later bytes change nothing")
    func invalid() {
        var run = SessionRun.connected()
        run.perform(.read)
        let step = run.receive([0, 1, 69, 8])
        guard case .undecodable(type: 69, _)? = step.failure else {
            Issue.record("\(String(describing: step.failure))")
            return
        }
        #expect(step.events == [.disconnected(SessionRun.strap, .unavailable)])
        #expect(step.results.count == 1)
        #expect(run.receive(SessionRun.running).events == [])
        #expect(run.session.nextDeadline == nil)
        run = SessionRun.subscribed()
        #expect(
            run.receive([2, 0, 0]).failure
                == .transport(TransportError(.invalidFrame, "a frame starts with 2, expected 0")))
    }

    @Test("A silent proxy is pinged after 5 s, and left after 15 s; every message restarts the time")
    func keepAlive() {
        var run = SessionRun.subscribed()
        run.isAlive = false
        #expect(run.pass(.milliseconds(4_999)).sent == [])
        #expect(run.pass(.milliseconds(1)).sent == [.ping(NoFields())])
        #expect(run.receive(.pingReply(NoFields())).sent == [])
        #expect(run.pass(.milliseconds(4_999)).sent == [])
        let step = run.pass(.milliseconds(10_000))
        #expect((step.sent, step.failure) == ([.ping(NoFields())], nil))
        #expect(run.pass(.milliseconds(1)).failure == .silent)
    }

    @Test("A proxy that does not identify itself within 30 s is left, without pings")
    func identification() {
        var run = SessionRun()
        _ = run.start()
        _ = run.receive(.helloReply(HelloReply(major: 1)))
        let step = run.pass(.milliseconds(29_999))
        #expect(step.sent.isEmpty && step.failure == nil)
        #expect(run.pass(.milliseconds(1)).failure == .silent)
    }

    @Test("Pings are answered, and an announced end is confirmed")
    func requests() {
        var run = SessionRun.subscribed()
        #expect(run.receive(.ping(NoFields())).sent == [.pingReply(NoFields())])
        let step = run.receive(.disconnect(Disconnect()))
        #expect(step.sent == [.disconnectReply(NoFields())])
        #expect(step.failure == .announced)
    }

    @Test("With the end of the TCP connection, and with a stop, each connection and operation ends once")
    func end() {
        for isStop in [false, true] {
            var run = SessionRun.connected()
            run.perform(.read, number: 1)
            run.perform(.read, number: 2)
            let step = run.step(isStop ? run.session.stop(at: run.now) : run.session.closed(at: run.now))
            #expect(step.events == [.disconnected(SessionRun.strap, .unavailable)])
            #expect(step.results.map(\.number) == [1, 2])
            #expect(step.results.allSatisfy { $0.result == .failure(.notConnected) })
            #expect(step.sent == (isStop ? [.disconnect(Disconnect())] : []))
            #expect(step.failure == (isStop ? .stopped : nil))
            #expect(run.perform(.read, number: 3).results.first?.result == .failure(.notConnected))
            #expect(run.connect().events == [.connectFailed(SessionRun.strap, .unavailable)])
        }
    }

    @Test("10,000 sessions with changed messages end or continue, and every operation has one result")
    func mutations() {
        var random = RandomSource(seed: 7)
        let messages = VectorFile.plain.filter { !$0.isByClient }
        var prepared = SessionRun.connected()
        prepared.isAlive = false
        prepared.perform(.read, on: 3, number: 1)
        prepared.perform(.write([1], withResponse: false), number: 2)
        var failures = 0
        for _ in 0..<10_000 {
            var run = prepared
            var total = SessionRun.Step()
            for _ in 0..<3 {
                guard let message = messages.randomElement(using: &random) else { continue }
                let mutant = VectorFile.mutant(of: message.frame.payload, using: &random)
                total =
                    total + run.receive(FrameBuffer.plain(Frame(type: message.frame.type, payload: mutant)))
            }
            total = total + run.pass(.seconds(30))
            if total.failure != nil { failures += 1 }
            #expect(total.results.map(\.number).sorted() == [1, 2])
            let ends = total.events.filter {
                if case .disconnected(SessionRun.strap, _) = $0 { true } else { false }
            }
            #expect(ends.count == 1)
            #expect(run.session.links.isEmpty && run.session.nextDeadline == nil)
            #expect(total.sent.count < 20 && total.events.count < 20)
        }
        #expect(failures == 10_000)
    }
}

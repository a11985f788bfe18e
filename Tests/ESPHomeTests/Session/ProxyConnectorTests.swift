import Bluetooth
import ESPHome
import Testing

@testable import ProxyClient

@Suite("Connector of a proxy")
struct ProxyConnectorTests {
    private static let key = EncryptionKey()

    /// A connector in virtual time, and the proxy's side of its TCP connections.
    private struct Run {
        var connector: ProxyConnector
        var now = Duration.seconds(100)
        var peer = ServerTransport(key: nil, name: "", mac: "")

        init(needsPermission: Bool = false) {
            connector = ProxyConnector(key: nil, mac: nil, needsPermission: needsPermission)
        }

        mutating func start() -> [ProxyConnector.Output] { connector.start(at: now) }

        mutating func pass(_ time: Duration) -> [ProxyConnector.Output] {
            now += time
            return connector.advance(to: now)
        }

        mutating func open() -> [Message] {
            peer = ServerTransport(key: nil, name: "", mac: "")
            return sent(connector.opened(at: now))
        }

        mutating func close() -> [ProxyConnector.Output] { connector.closed(at: now) }

        @discardableResult
        mutating func receive(_ message: Message) -> [ProxyConnector.Output] {
            connector.received(peer.encode(message.frame), at: now)
        }

        /// Opens a session; the proxy answers the subscription.
        mutating func identify(isSubscriber: Bool = true) -> [Message] {
            _ = open()
            receive(.helloReply(HelloReply(major: 1)))
            let info = DeviceInfo(
                name: "attic-proxy", mac: "C0:FF:EE:00:00:01", version: "2026.10.0", features: 0xFF)
            let messages = sent(receive(.deviceInfoReply(info)))
            if isSubscriber { receive(SessionRun.running) }
            return messages
        }

        mutating func sent(_ outputs: [ProxyConnector.Output]) -> [Message] {
            outputs.flatMap { output in
                guard case .send(let bytes) = output else { return [Message]() }
                return peer.receive(bytes).frames.compactMap { try? Message($0) }
            }
        }
    }

    @Test("Attempts follow after 1, 2, 4 … 60 s")
    func retries() {
        var run = Run()
        #expect(run.start() == [.open])
        for delay in [1, 2, 4, 8, 16, 32, 60, 60] {
            #expect(run.close() == [.offline(.unreachable, retryAfter: .seconds(delay))])
            #expect(run.pass(.seconds(delay) - .milliseconds(1)) == [])
            #expect(run.pass(.milliseconds(1)) == [.open])
        }
    }

    @Test("An attempt is given up after 10 s")
    func timeout() {
        var run = Run()
        _ = run.start()
        #expect(run.pass(.milliseconds(9_999)) == [])
        #expect(run.pass(.milliseconds(1)) == [.close, .offline(.unreachable, retryAfter: .seconds(1))])
        // The end of an attempt that was given up changes nothing.
        #expect(run.close() == [])
        #expect(run.connector.opened(at: run.now) == [])
    }

    @Test("The first delay applies again only after a session of 30 s")
    func steady() {
        for (duration, delay) in [(29, 2), (30, 1)] {
            var run = Run()
            _ = run.start()
            _ = run.close()
            _ = run.pass(.seconds(1))
            _ = run.identify()
            run.now += .seconds(duration)
            #expect(run.close() == [.offline(.lost, retryAfter: .seconds(delay))])
        }
    }

    @Test("A wrong key is tried again after 5 min")
    func wrongKey() {
        var run = Run()
        run.connector = ProxyConnector(key: Self.key, mac: nil)
        _ = run.start()
        var proxy = ServerTransport(key: EncryptionKey().bytes, name: "attic-proxy", mac: "c0ffee000001")
        guard case .send(let bytes)? = run.connector.opened(at: run.now).first else {
            Issue.record("no handshake")
            return
        }
        let outputs = run.connector.received(proxy.receive(bytes).answer, at: run.now)
        guard outputs.first == .close, case .offline(.transport(let error), let delay)? = outputs.last else {
            Issue.record("\(outputs)")
            return
        }
        #expect((error.code, delay) == (.wrongKey, .seconds(300)))
    }

    @Test("The third TCP connection that the proxy closes without a message means that all places are taken")
    func noPlace() {
        var run = Run()
        _ = run.start()
        for (delay, failure) in [(1, .lost), (2, .lost), (4, .noPlace)] as [(Int, ProxySession.Failure)] {
            _ = run.open()
            #expect(run.close() == [.offline(failure, retryAfter: .seconds(delay))])
            _ = run.pass(.seconds(delay))
        }
        _ = run.open()
        run.receive(.helloReply(HelloReply(major: 1)))
        #expect(run.close() == [.offline(.lost, retryAfter: .seconds(8))])
    }

    @Test(
        "A client that was replaced does not subscribe in its next session either, until a user requests it")
    func displaced() {
        let subscribe = Message.subscribe(Subscribe(flags: 1))
        var run = Run()
        _ = run.start()
        #expect(run.identify().last == subscribe)
        var outputs: [ProxyConnector.Output] = []
        while let due = run.connector.nextDeadline, due <= run.now + .seconds(65) {
            outputs = run.connector.advance(to: due)
            if run.sent(outputs).contains(.ping(NoFields())) {
                _ = run.connector.received(run.peer.encode(Message.pingReply(NoFields()).frame), at: due)
            }
            if outputs.contains(.event(.subscription(.displaced))) { break }
        }
        #expect(outputs.contains(.event(.subscription(.displaced))))
        run.now += .seconds(65)
        _ = run.close()
        _ = run.pass(.seconds(60))
        #expect(run.identify(isSubscriber: false).last == .subscribeSlots(NoFields()))
        #expect(run.sent(run.connector.subscribe(at: run.now)) == [subscribe])
        run.receive(SessionRun.running)
        _ = run.close()
        _ = run.pass(.seconds(60))
        #expect(run.identify().last == subscribe)
    }

    @Test("A client that a bridge has replaced waits again as before, and not for a user")
    func left() {
        var run = Run(needsPermission: true)
        _ = run.start()
        _ = run.identify(isSubscriber: false)
        _ = run.connector.subscribe(at: run.now)
        run.receive(SessionRun.running)
        var states: [ProxySession.SubscriptionState] = []
        for isLeft in [false, true] {
            while !states.contains(.displaced), let due = run.connector.nextDeadline {
                run.now = due
                let outputs = run.connector.advance(to: due)
                if run.sent(outputs).contains(.ping(NoFields())) { run.receive(.pingReply(NoFields())) }
                states += Self.states(outputs)
            }
            if isLeft { run.connector.leave() }
            _ = run.close()
            _ = run.pass(.seconds(60))
            _ = run.open()
            run.receive(.helloReply(HelloReply(major: 1)))
            let info = DeviceInfo(
                name: "attic-proxy", mac: "C0:FF:EE:00:00:01", version: "2026.10.0", features: 0xFF)
            let outputs = run.receive(.deviceInfoReply(info))
            #expect(Self.states(outputs) == [isLeft ? .withheld : .displaced])
        }
    }

    private static func states(_ outputs: [ProxyConnector.Output]) -> [ProxySession.SubscriptionState] {
        outputs.compactMap { output in
            if case .event(.subscription(let state)) = output { state } else { nil }
        }
    }

    @Test("A shared proxy is used only with permission, which each session needs again")
    func permission() {
        let subscribe = Message.subscribe(Subscribe(flags: 1))
        var run = Run(needsPermission: true)
        _ = run.start()
        #expect(run.connector.subscribe(at: run.now) == [])
        for _ in 0..<2 {
            #expect(run.identify(isSubscriber: false).last == .subscribeSlots(NoFields()))
            #expect(run.sent(run.connector.subscribe(at: run.now)) == [subscribe])
            #expect(run.receive(SessionRun.running).contains(.event(.subscription(.active))))
            _ = run.close()
            _ = run.pass(.seconds(60))
        }
    }

    @Test("Without a session, connections and operations fail at once")
    func offline() {
        var run = Run()
        _ = run.start()
        let strap = SessionRun.strap
        #expect(
            run.connector.connect(strap, addressType: 1, at: run.now) == [
                .event(.connectFailed(strap, .unavailable))
            ])
        #expect(
            run.connector.perform(.read, on: 3, of: strap, number: 7, at: run.now) == [
                .completed(7, .failure(.notConnected))
            ])
        #expect(run.connector.disconnect(strap, at: run.now) == [])
    }

    @Test("After a stop there is no further attempt, until the next start")
    func stop() {
        var run = Run()
        _ = run.start()
        #expect(run.connector.stop(at: run.now) == [.close])
        #expect(run.connector.nextDeadline == nil)
        #expect(run.pass(.seconds(600)) == [])
        #expect(run.start() == [.open])
        _ = run.identify()
        let outputs = run.connector.stop(at: run.now)
        #expect(outputs.last == .close)
        #expect(run.sent(outputs) == [.disconnect(Disconnect())])
        #expect(run.connector.nextDeadline == nil)
    }
}

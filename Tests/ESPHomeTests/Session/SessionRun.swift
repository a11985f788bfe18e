import Bluetooth
import ESPHome

@testable import ProxyClient

/// A session in virtual time, with a proxy whose messages the test writes.
struct SessionRun {
    static let strap: Address = "C0:FF:EE:00:BE:01"
    static let board: Address = "00:11:22:33:44:55"
    static let running = Message.scannerState(ScannerState(state: 2, mode: 1, configuredMode: 1))
    static let noSlots = Message.slots(Slots(free: 3, limit: 3))

    /// The result of an operation.
    struct Completion: Hashable {
        let number: Int
        let result: Result<[UInt8], ProxySession.OperationFailure>
    }

    /// What a session did.
    struct Step {
        var sent: [Message] = []
        var events: [ProxySession.Event] = []
        var results: [Completion] = []
        var failure: ProxySession.Failure?

        static func + (first: Step, second: Step) -> Step {
            Step(
                sent: first.sent + second.sent, events: first.events + second.events,
                results: first.results + second.results, failure: first.failure ?? second.failure)
        }
    }

    var session: ProxySession
    var now = Duration.seconds(100)
    /// Whether the proxy answers pings.
    var isAlive = true
    private var peer = ServerTransport(key: nil, name: "", mac: "")

    /// Creates a session that waits for the answer to its hello.
    init(mac: Address? = nil, maySubscribe: Bool = true) {
        session = ProxySession(
            transport: ClientTransport(key: nil), mac: mac, maySubscribe: maySubscribe, at: now)
    }

    /// Creates a session that is the subscriber of a proxy.
    static func subscribed(_ version: String = "2026.10.0", features: UInt32 = 0xFF) -> SessionRun {
        var run = SessionRun()
        run.identify(version, features: features)
        run.receive(noSlots)
        run.receive(running)
        return run
    }

    /// Creates a session with an open connection to the strap: the characteristic 3 with the descriptor 4, and the
    /// characteristic 12.
    static func connected(mtu: UInt32 = 247) -> SessionRun {
        var run = subscribed()
        run.connect()
        run.receive(.connection(Connection(address: strap, isConnected: true, mtu: mtu)))
        run.receive(services())
        run.receive(.servicesDone(DeviceOnly(address: strap)))
        return run
    }

    static func services() -> Message {
        var service = ServiceEntry()
        service.setUUID(0x180D, mayBeShort: true)
        return .services(Services(address: strap, services: [service]))
    }

    /// The request to connect the strap.
    static let request = Message.device(
        DeviceRequest(address: strap, request: 5, hasAddressType: true, addressType: 1))

    @discardableResult
    mutating func identify(_ version: String = "2026.10.0", features: UInt32 = 0xFF) -> Step {
        let step = start() + receive(.helloReply(HelloReply(major: 1, minor: 14)))
        let info = DeviceInfo(
            name: "attic-proxy", mac: "C0:FF:EE:00:00:01", version: version, features: features)
        return step + receive(.deviceInfoReply(info))
    }

    @discardableResult
    mutating func start() -> Step { step(session.start()) }

    @discardableResult
    mutating func receive(_ message: Message) -> Step { receive(peer.encode(message.frame)) }

    @discardableResult
    mutating func receive(_ bytes: [UInt8]) -> Step { step(session.received(bytes, at: now)) }

    @discardableResult
    mutating func connect(_ address: Address = strap) -> Step {
        step(session.connect(address, addressType: 1, at: now))
    }

    @discardableResult
    mutating func disconnect() -> Step { step(session.disconnect(Self.strap, at: now)) }

    /// Starts an operation of the strap.
    @discardableResult
    mutating func perform(
        _ operation: ProxySession.Operation, on handle: UInt16 = 12, number: Int = 1, isFirst: Bool = false
    ) -> Step {
        step(
            session.perform(
                operation, on: handle, of: Self.strap, number: number, isFirst: isFirst, at: now))
    }

    /// Lets time pass.
    @discardableResult
    mutating func pass(_ time: Duration) -> Step {
        let end = now + time
        var total = Step()
        while let due = session.nextDeadline, due <= end {
            now = max(now, due)
            let step = self.step(session.advance(to: now))
            total = total + step
            if isAlive, step.sent.contains(.ping(NoFields())) {
                total = total + receive(.pingReply(NoFields()))
            }
        }
        now = end
        return total
    }

    mutating func step(_ outputs: [ProxySession.Output]) -> Step {
        var step = Step()
        for output in outputs {
            switch output {
            case .send(let bytes):
                step.sent += peer.receive(bytes).frames.compactMap { try? Message($0) }
            case .close(let failure): step.failure = failure
            case .event(let event): step.events.append(event)
            case .completed(let number, let result):
                step.results.append(Completion(number: number, result: result))
            }
        }
        return step
    }
}

import Bluetooth
import ESPHome
import VirtualDevices

@testable import ProxyClient
@testable import ProxySimulator

/// A session with a simulated proxy, which has the standard devices in range, in virtual time.
struct SimulatedRun {
    static let belt: Address = "C0:FF:EE:00:BE:01"

    var session: ProxySession
    var proxy: Proxy
    private var transport: ServerTransport
    private(set) var now = Duration.seconds(100)
    private(set) var events: [ProxySession.Event] = []
    private(set) var results: [Int: Result<[UInt8], ProxySession.OperationFailure>] = [:]
    private(set) var failure: ProxySession.Failure?
    private var mail: [Mail] = []

    private enum Mail {
        case toClient(Message)
        case toProxy([UInt8])
        case closedByClient
        case closedByProxy
    }

    init(_ firmware: Proxy.Firmware, isEncrypted: Bool) throws {
        let key = isEncrypted ? EncryptionKey() : nil
        var options = Proxy.Options()
        options.firmware = firmware
        proxy = Proxy(World(.standard), options: options)
        transport = ServerTransport(key: key?.bytes, name: options.name, mac: options.address.digits)
        session = ProxySession(transport: ClientTransport(key: key?.bytes), mac: options.address, at: now)
        take(proxy.start(at: now))
        take(proxy.opened(client: 1, at: now))
        carryOut(session.start())
        try settle()
    }

    /// Lets time pass.
    mutating func pass(_ time: Duration) throws {
        let end = now + time
        while let due = [session.nextDeadline, proxy.nextDeadline].compactMap({ $0 }).min(), due <= end {
            now = max(now, due)
            take(proxy.advance(to: now))
            carryOut(session.advance(to: now))
            try settle()
        }
        now = end
    }

    /// Executes a live line.
    mutating func line(_ line: String) throws {
        take(proxy.perform(line: line, at: now))
        try settle()
    }

    /// Connects the belt.
    mutating func connect() throws {
        carryOut(session.connect(Self.belt, addressType: 1, at: now))
        try settle()
        try pass(.seconds(3))
    }

    mutating func perform(_ operation: ProxySession.Operation, on handle: UInt16, number: Int) throws {
        carryOut(session.perform(operation, on: handle, of: Self.belt, number: number, at: now))
        try settle()
    }

    /// Another client subscribes.
    mutating func subscribeOther() throws {
        take(proxy.opened(client: 2, at: now))
        take(proxy.received(.hello(Hello(client: "other", major: 1)), from: 2, at: now))
        take(proxy.received(.subscribe(Subscribe(flags: 1)), from: 2, at: now))
        try settle()
    }

    /// The characteristic of the connected belt; nil if it was not listed.
    func characteristic(_ uuid: UUID) -> CharacteristicEntry? {
        for case .connected(Self.belt, mtu: _, let services) in events.reversed() {
            return services.flatMap(\.characteristics).first { $0.uuid == uuid }
        }
        return nil
    }

    /// The events apart from advertisements, slots and states of the scanner, since the last call.
    mutating func takeEvents() -> [ProxySession.Event] {
        defer { events = [] }
        return events.filter {
            switch $0 {
            case .advertisements, .slots, .scanner: false
            default: true
            }
        }
    }

    private mutating func carryOut(_ outputs: [ProxySession.Output]) {
        for output in outputs {
            switch output {
            case .send(let bytes): mail.append(.toProxy(bytes))
            case .close(let failure):
                self.failure = failure
                mail.append(.closedByClient)
            case .event(let event): events.append(event)
            case .completed(let number, let result): results[number] = result
            }
        }
    }

    private mutating func take(_ outputs: [Proxy.Output]) {
        for output in outputs {
            switch output {
            case .send(1, let message): mail.append(.toClient(message))
            case .close(1): mail.append(.closedByProxy)
            case .send, .close, .abandon, .reachable, .delay, .report: break
            }
        }
    }

    /// Delivers what both sides have sent, in order.
    private mutating func settle() throws {
        while !mail.isEmpty {
            switch mail.removeFirst() {
            case .toClient(let message):
                carryOut(session.received(transport.encode(message.frame), at: now))
            case .toProxy(let bytes):
                let step = transport.receive(bytes)
                if !step.answer.isEmpty { carryOut(session.received(step.answer, at: now)) }
                for frame in step.frames {
                    guard let message = try Message(frame) else { continue }
                    take(proxy.received(message, from: 1, at: now))
                }
            case .closedByClient: take(proxy.closed(client: 1, at: now))
            case .closedByProxy: carryOut(session.closed(at: now))
            }
        }
    }
}

import Bluetooth
import ESPHome
import VirtualDevices

@testable import ProxySimulator

/// A proxy in virtual time with one subscriber, and what it sends.
struct ProxyRun {
    static let belt: Address = "C0:FF:EE:00:BE:01"
    static let tap: Address = "C0:FF:EE:00:BE:02"
    static let robot: Address = "C0:FF:EE:00:B0:01"

    var proxy: Proxy
    var now = Duration.seconds(100)

    /// Creates a proxy with the standard devices, and connects client 1 as the subscriber.
    init(_ firmware: Proxy.Firmware = .v2026_10, _ change: (inout Proxy.Options) -> Void = { _ in }) {
        var options = Proxy.Options()
        options.firmware = firmware
        change(&options)
        proxy = Proxy(World(.standard), options: options)
        _ = proxy.start(at: now)
        greet(1)
        send(.subscribe(Subscribe(flags: 1)))
    }

    /// Connects a client that knows short UUIDs.
    mutating func greet(_ client: Int, minor: UInt32 = 19) {
        _ = proxy.opened(client: client, at: now)
        send(.hello(Hello(client: "test", major: 1, minor: minor)), from: client)
    }

    /// Sends a message to the proxy, and returns what it does at once, without reports.
    @discardableResult
    mutating func send(_ message: Message, from client: Int = 1) -> [Proxy.Output] {
        Self.actions(proxy.received(message, from: client, at: now))
    }

    /// Lets time pass, and returns what the proxy does, without advertisements and reports.
    @discardableResult
    mutating func pass(_ time: Duration) -> [Proxy.Output] {
        now += time
        return Self.actions(proxy.advance(to: now)).filter {
            if case .send(_, .advertisements) = $0 { false } else { true }
        }
    }

    @discardableResult
    mutating func line(_ line: String) -> [Proxy.Output] { Self.actions(proxy.perform(line: line, at: now)) }

    /// Connects a device, and returns its table.
    @discardableResult
    mutating func connect(_ address: Address = belt, _ kind: DeviceRequest.Kind = .connectWithoutCache)
        -> [Message]
    {
        Self.messages(send(Self.request(kind, address)) + pass(.milliseconds(300)))
    }

    static func request(_ kind: DeviceRequest.Kind, _ address: Address) -> Message {
        .device(DeviceRequest(address: address, request: kind.rawValue, hasAddressType: true, addressType: 1))
    }

    /// The handle of a characteristic of the connected device.
    func handle(_ uuid: UUID, of address: Address = belt) -> UInt16 {
        proxy.links[address]?.table.characteristics.first { $0.value.id.uuid == uuid }?.handle ?? 0
    }

    /// The messages to client 1.
    static func messages(_ outputs: [Proxy.Output]) -> [Message] {
        outputs.compactMap { if case .send(1, let message) = $0 { message } else { nil } }
    }

    private static func actions(_ outputs: [Proxy.Output]) -> [Proxy.Output] {
        outputs.filter { if case .report = $0 { false } else { true } }
    }
}

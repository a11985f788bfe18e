import Bluetooth
package import ESPHome
package import VirtualDevices

/// A Bluetooth proxy with virtual devices in range: the behavior of ESPHome's firmware as a pure value.
///
/// Clients have numbers, which the server of the sockets assigns.
package struct Proxy: Sendable {
    /// An action of the server.
    package enum Output: Hashable, Sendable {
        case send(Int, Message)
        /// Close the connection of a client, after everything was sent.
        case close(Int)
        /// Neither send to a client nor read from it, and close its connection when Wi-Fi is available again.
        case abandon(Int)
        /// Whether clients can reach the proxy.
        case reachable(Bool)
        /// The delay of messages in each direction.
        case delay(Duration)
        case report(Report)
    }

    struct Client: Sendable {
        /// The minor version of the client's API; nil before its hello.
        var minor: UInt32?
        var lastMessage: Duration
        /// Whether it waits for the answer to a ping.
        var isPinged = false
    }

    /// A slot for a connection.
    struct Link: Sendable {
        enum State: Hashable, Sendable {
            case waits
            case opening
            case open
        }

        var state = State.waits
        let device: String?
        let kind: DeviceRequest.Kind
        var mtu = 23
        var table = AttributeTable([])
        var isEncrypted = false
        var areServicesSent = false
        /// The handles whose notifications are forwarded.
        var forwarded: Set<UInt16> = []
        /// The handles of the descriptors with which the client has subscribed.
        var subscriptions: Set<UInt16> = []
        /// The operations that wait until the device answers again, with their numbers.
        var held: [(stimulus: Stimulus, request: Int)] = []
    }

    enum Wait: Hashable, Sendable {
        case hello(Int)
        case silence(Int)
        case batch
        case opened(Address)
        case openTimeout(Address)
        case supervision(Address)
        case pairing(Address)
        case restart
        case booted
    }

    /// The name of the proxy in lines that move a device.
    static let hostName = "proxy"

    let options: Options
    var air: Air
    var now = Duration.zero
    var waits = TimerTable<Wait>()
    var outputs: [Output] = []
    var clients: [Int: Client] = [:]
    var subscriber: Int?
    var links: [Address: Link] = [:]
    /// The connections that wait to be opened, in order. The first one is being opened.
    var queue: [Address] = []
    /// Unanswered reads and writes.
    var requests: [Int: Attribute] = [:]
    var lastRequest = 0
    /// The names of the devices that have a bond with the proxy.
    var bonds: Set<String>
    var scannerMode: UInt32 = 1
    var isReachable = true

    package init(_ world: World, options: Options) {
        self.options = options
        air = Air(world, hosts: [Air.Host(Self.hostName, supervision: options.supervision)])
        bonds = Set(world.peripherals.filter(\.isBonded).map(\.name))
    }

    /// The time of the next event. Call ``advance(to:)`` at this time.
    package var nextDeadline: Duration? { [waits.next, air.nextDeadline].compactMap { $0 }.min() }

    /// Switches the devices on.
    package mutating func start(at time: Duration) -> [Output] {
        now = time
        for output in air.start(at: now, for: 0) { take(output) }
        return takeOutputs()
    }

    /// Carries out everything that is due.
    package mutating func advance(to time: Duration) -> [Output] {
        pass(to: time)
        return takeOutputs()
    }

    /// Executes a live line: about a device, or one of ``ProxyLine``.
    package mutating func perform(line: String, at time: Duration) -> [Output] {
        pass(to: time)
        if let line = ProxyLine(line) {
            perform(line)
        } else {
            for output in air.perform(line: line, at: now, for: 0) { take(output) }
        }
        return takeOutputs()
    }

    mutating func pass(to time: Duration) {
        while let due = waits.popDue(at: time) {
            advanceAir(to: max(now, due.deadline))
            fire(due.name)
        }
        advanceAir(to: max(now, time))
    }

    private mutating func advanceAir(to time: Duration) {
        now = time
        for output in air.advance(to: now, for: 0) { take(output) }
    }

    private mutating func fire(_ wait: Wait) {
        switch wait {
        case .hello(let client): close(client)
        case .silence(let client): checkSilence(of: client)
        case .batch: sendBatch()
        case .opened(let address): opened(address)
        case .openTimeout(let address): endLink(address, error: ConnectionError.failed)
        case .supervision(let address): endLink(address, error: ConnectionError.lost, isLost: true)
        case .pairing(let address): paired(address)
        case .restart: restart()
        case .booted: booted()
        }
    }

    mutating func takeOutputs() -> [Output] {
        defer { outputs = [] }
        return outputs
    }

    /// Carries out an output of a device.
    mutating func take(_ output: WorldOutput) {
        switch output {
        case .answer(let request, let answer): finish(request, answer)
        case .notify(let device, let id, let bytes): forward(id, bytes, of: device)
        case .disconnect(let device): lose(device, ConnectionError.endedByDevice)
        case .drop(let device): lose(device, ConnectionError.lost)
        case .mute(let device, let isMuted):
            guard let address = open(device) else { break }
            if isMuted {
                waits.set(.supervision(address), at: now + options.supervision)
            } else {
                waits.cancel(.supervision(address))
                let held = links[address]?.held ?? []
                links[address]?.held = []
                for item in held { stimulate(item.stimulus, device, request: item.request) }
            }
        case .advertise, .move: break
        case .report(let report): outputs.append(.report(report))
        }
    }

    /// The address of a connected device.
    func open(_ device: String) -> Address? {
        links.first { $0.value.device == device && $0.value.state == .open }?.key
    }

    private mutating func lose(_ device: String, _ error: Int32) {
        if let address = open(device) { endLink(address, error: error, isLost: true) }
    }

    /// Sends a message to the subscriber, the only client that receives answers and events of Bluetooth.
    mutating func publish(_ message: Message) {
        if let subscriber { outputs.append(.send(subscriber, message)) }
    }
}

/// The reasons in a message about a connection: of the HCI (Core Specification, Vol 1, Part F), and of Bluedroid.
enum ConnectionError {
    static let lost: Int32 = 0x08
    static let endedByDevice: Int32 = 0x13
    static let endedByHost: Int32 = 0x16
    static let failed: Int32 = 0x85
    static let canceled: Int32 = 0x100
}

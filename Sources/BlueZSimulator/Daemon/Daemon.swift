import Bluetooth
import DBus
import VirtualDevices

/// bluetoothd as a value: what clients and devices do goes in, what to do on the bus comes out.
///
/// Pure: no clock, no I/O. It owns the air around it, unless several daemons share one. What it says and when is what bluetoothd 5.66 was
/// seen to do; the files of this folder go by BlueZ's interfaces.
struct Daemon: Sendable {
    enum Wait: Hashable, Sendable {
        /// The adapters appear after the start.
        case start
        case powerOn(String)
        /// A device is heard by an adapter that discovers.
        case sighting(DeviceKey)
        case temporary(DeviceKey)
        case connectTimeout(DeviceKey)
        case established(DeviceKey)
        case resolved(DeviceKey)
        case exported(DeviceKey)
        case closed(DeviceKey)
        case supervision(DeviceKey)
        case pairing(DeviceKey)
    }

    /// Whom the answer of a device to a request is for.
    enum Request: Hashable, Sendable {
        case read(DeviceKey, Int)
        case write(DeviceKey, Int)
        case battery(DeviceKey)
    }

    /// A socket that stands for a characteristic.
    struct Channel: Hashable, Sendable {
        var key: DeviceKey
        var index: Int
        var isForWriting: Bool
    }

    let options: LookAlike.Options
    /// The air around it; of several daemons that share one, the one that runs has it.
    var air: Air
    /// Which of the hosts of the air it is.
    let host: Int
    var now: Duration = .zero
    var adapters: [AdapterRecord]
    var devices: [DeviceKey: DeviceRecord] = [:]
    var agents: [AgentRecord] = []
    var remembered: [KnownDevice]
    /// The devices that are out of reach.
    var muted: Set<String> = []
    var waits = TimerTable<Wait>()
    var requests: [Int: Request] = [:]
    var channels: [Int: Channel] = [:]
    var outputs: [Output] = []
    /// What goes wrong with calls, in the order in which it was asked for.
    var callFaults: [CallFault] = []
    /// The devices of whose services something wrong is remembered until they are removed.
    var staleCaches: Set<String> = []
    /// The devices whose firmware was updated, which has moved their services.
    var updated: Set<String> = []
    private var worldOutputs: [WorldOutput] = []
    private var lastNumber = 0

    /// Makes a daemon that is not started.
    init(options: LookAlike.Options, world: World, remembered: [KnownDevice] = []) {
        self.init(
            options: options, air: Air(world, supervision: options.supervisionTimeout),
            bonds: world.peripherals.filter(\.isBonded), remembered: remembered)
    }

    /// Makes one of the daemons of an air, which is not started.
    ///
    /// - Parameter bonds: The devices that its first adapter has a bond with if nothing is remembered.
    init(
        options: LookAlike.Options, air: Air, host: Int = 0, bonds: [Peripheral],
        remembered: [KnownDevice] = []
    ) {
        self.options = options
        self.air = air
        self.host = host
        adapters = options.adapters.map { AdapterRecord(name: $0.name, address: $0.address) }
        self.remembered = remembered
        guard remembered.isEmpty, let first = options.adapters.first else { return }
        // Nothing is remembered yet: the devices that the scenario has bonded.
        self.remembered = bonds.map {
            KnownDevice(adapter: first.address, device: $0.address, isBonded: true, isTrusted: true)
        }
    }

    /// When something is to happen by itself next.
    var nextDeadline: Duration? { [waits.next, air.nextDeadline].compactMap { $0 }.min() }

    /// Starts the daemon, and switches the devices on if no other did; once, first.
    mutating func start(at time: Duration) -> [Output] {
        run(at: time) {
            $0.exportRoot()
            $0.waits.set(.start, at: time + $0.options.startTime)
            $0.perform($0.air.start(at: time, for: $0.host))
        }
    }

    /// Lets everything happen that was due until `time`.
    mutating func advance(to time: Duration) -> [Output] { run(at: time) { _ in } }

    /// Takes a client's call; its answer comes out now or later.
    mutating func handle(_ call: Call, at time: Duration) -> [Output] {
        run(at: time) { $0.answer(call) }
    }

    /// Takes a live line: about an adapter, about bluetoothd itself, or for the world.
    mutating func perform(line: String, at time: Duration) -> [Output] {
        run(at: time) {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            switch words.first {
            case "adapter": $0.performAdapter(Array(words.dropFirst()))
            case "bluez": $0.performFault(Array(words.dropFirst()))
            default: $0.perform($0.air.perform(line: line, at: time, for: $0.host))
            }
        }
    }

    /// Takes it that a client has left the bus.
    mutating func clientLeft(_ name: String, at time: Duration) -> [Output] {
        run(at: time) { $0.forget(client: name) }
    }

    /// Takes an agent's answer to a question: nil if it agreed, else the error's name.
    mutating func agentAnswered(_ question: Int, error: String?, at time: Duration) -> [Output] {
        run(at: time) { $0.continuePairing(question, error: error) }
    }

    /// Takes a packet that a client wrote into a socket.
    mutating func received(_ bytes: [UInt8], from channel: Int, at time: Duration) -> [Output] {
        run(at: time) { $0.write(bytes, from: channel) }
    }

    /// Takes it that a client has closed a socket.
    mutating func closed(channel: Int, at time: Duration) -> [Output] {
        run(at: time) { $0.release(channel: channel) }
    }

    /// Ends the daemon in order: links closed, objects gone, agents told.
    mutating func stop(at time: Duration) -> [Output] {
        run(at: time) {
            for index in $0.adapters.indices where $0.adapters[index].isPresent { $0.removeAdapter(index) }
            $0.releaseAgents()
        }
    }

    mutating func makeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Hands something to a device.
    mutating func stimulate(_ stimulus: Stimulus, of name: String, request: Int = 0) {
        perform(air.handle(stimulus, of: name, from: host, request: request, at: now))
    }

    mutating func perform(_ outputs: [WorldOutput]) { worldOutputs += outputs }

    /// Lets time pass, does something, and carries out what the devices want, all in order.
    private mutating func run(at time: Duration, _ body: (inout Self) -> Void) -> [Output] {
        while let due = waits.next, due <= time { passTime(to: due) }
        passTime(to: time)
        body(&self)
        settle()
        defer { outputs = [] }
        return outputs
    }

    private mutating func passTime(to time: Duration) {
        now = max(now, time)
        perform(air.advance(to: now, for: host))
        settle()
        while let due = waits.popDue(at: now) {
            fire(due.name)
            settle()
        }
    }

    /// Carries out what the devices want, in order. Not to be called while that goes on.
    mutating func settle() {
        while !worldOutputs.isEmpty {
            let batch = worldOutputs
            worldOutputs = []
            for output in batch { take(output) }
        }
    }
}

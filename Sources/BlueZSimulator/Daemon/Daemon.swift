import Bluetooth
import DBus
import VirtualDevices

/// A model of bluetoothd: operations of clients and devices are the inputs, operations on the bus are the outputs.
///
/// The type has no clock and performs no I/O; ``LookAlike`` carries out the outputs. A daemon owns the radio
/// environment, unless several daemons share one. The messages of the daemon and their timing reproduce the observed
/// behavior of bluetoothd 5.66. The files in this folder correspond to BlueZ's interfaces.
struct Daemon: Sendable {
    enum Wait: Hashable, Sendable {
        /// The adapters appear on the bus, some time after the start.
        case start
        case powerOn(String)
        /// An adapter that discovers receives an advertisement of a device.
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

    /// Why the daemon reads or writes a value of a device.
    enum Request: Hashable, Sendable {
        case read(DeviceKey, Int)
        case write(DeviceKey, Int)
        case battery(DeviceKey)
    }

    /// A socket through which a client receives notifications of a characteristic or writes to it.
    struct Channel: Hashable, Sendable {
        var key: DeviceKey
        var index: Int
        var isForWriting: Bool
    }

    let options: LookAlike.Options
    /// The radio environment: which hosts receive which devices. If several daemons share it, only the daemon that
    /// currently runs holds it.
    var air: Air
    /// The index of this host in the radio environment.
    let host: Int
    var now: Duration = .zero
    var adapters: [AdapterRecord]
    var devices: [DeviceKey: DeviceRecord] = [:]
    var agents: [AgentRecord] = []
    var remembered: [KnownDevice]
    /// The devices that a live line (`mute`) moved out of range.
    var muted: Set<String> = []
    var waits = TimerTable<Wait>()
    var requests: [Int: Request] = [:]
    var channels: [Int: Channel] = [:]
    var outputs: [Output] = []
    /// The faults that live lines requested for calls, in the order of the live lines.
    var callFaults: [CallFault] = []
    /// The devices whose services the daemon has stored wrongly, by a simulated fault, until the device is removed.
    var staleCaches: Set<String> = []
    /// The devices whose firmware a live line has updated, which has shifted the handles of their attributes.
    var updated: Set<String> = []
    private var worldOutputs: [WorldOutput] = []
    private var lastNumber = 0

    /// Creates a daemon that is not started.
    init(options: LookAlike.Options, world: World, remembered: [KnownDevice] = []) {
        self.init(
            options: options, air: Air(world, supervision: options.supervisionTimeout),
            bonds: world.peripherals.filter(\.isBonded), remembered: remembered)
    }

    /// Creates one of several daemons that share a radio environment. It is not started.
    ///
    /// - Parameter bonds: The devices that have a bond with the first adapter if no devices are stored.
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
        // Without stored devices, the scenario defines the bonds.
        self.remembered = bonds.map {
            KnownDevice(adapter: first.address, device: $0.address, isBonded: true, isTrusted: true)
        }
    }

    /// The time of the next scheduled event.
    var nextDeadline: Duration? { [waits.next, air.nextDeadline].compactMap { $0 }.min() }

    /// Starts the daemon, and switches the devices on if no other daemon has done so. Must be the first call and occur
    /// once.
    mutating func start(at time: Duration) -> [Output] {
        run(at: time) {
            $0.exportRoot()
            $0.waits.set(.start, at: time + $0.options.startTime)
            $0.perform($0.air.start(at: time, for: $0.host))
        }
    }

    /// Carries out all events that are due up to `time`.
    mutating func advance(to time: Duration) -> [Output] { run(at: time) { _ in } }

    /// Handles a client's call. The answer is part of the outputs of this call or of a later one.
    mutating func handle(_ call: Call, at time: Duration) -> [Output] {
        run(at: time) { $0.answer(call) }
    }

    /// Executes a live line, which a user types: about an adapter, about bluetoothd itself, or about a device.
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

    /// Handles a client that has left the bus.
    mutating func clientLeft(_ name: String, at time: Duration) -> [Output] {
        run(at: time) { $0.forget(client: name) }
    }

    /// Handles an agent's answer: nil for consent, otherwise the name of the error.
    mutating func agentAnswered(_ question: Int, error: String?, at time: Duration) -> [Output] {
        run(at: time) { $0.continuePairing(question, error: error) }
    }

    /// Handles a packet that a client wrote to a socket.
    mutating func received(_ bytes: [UInt8], from channel: Int, at time: Duration) -> [Output] {
        run(at: time) { $0.write(bytes, from: channel) }
    }

    /// Handles a socket that a client has closed.
    mutating func closed(channel: Int, at time: Duration) -> [Output] {
        run(at: time) { $0.release(channel: channel) }
    }

    /// Stops the daemon cleanly: closes connections, removes objects and notifies agents.
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

    /// Passes a stimulus to a device.
    mutating func stimulate(_ stimulus: Stimulus, of name: String, request: Int = 0) {
        perform(air.handle(stimulus, of: name, from: host, request: request, at: now))
    }

    mutating func perform(_ outputs: [WorldOutput]) { worldOutputs += outputs }

    /// Advances the time, runs the body, and carries out the devices' outputs, all in order.
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

    /// Carries out the devices' outputs, in order. Must not be called recursively.
    mutating func settle() {
        while !worldOutputs.isEmpty {
            let batch = worldOutputs
            worldOutputs = []
            for output in batch { take(output) }
        }
    }
}

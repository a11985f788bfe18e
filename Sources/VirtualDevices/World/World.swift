/// Owns virtual devices, their timers, plans and faults, and tells their server what to do.
///
/// Pure: it has no clock and does no I/O. All times are on one monotonic clock of the server's choice.
public struct World: Sendable {
    var hosts: [Host]
    var random: RandomSource
    var startedAt: Duration?

    /// How far the past is replayed when the server was held up; older deadlines move to this edge.
    private static let memory: Duration = .seconds(2)

    /// Makes the devices of a scenario; they are off until ``start(at:)``.
    public init(_ scenario: Scenario) {
        var random = RandomSource(seed: scenario.seed)
        hosts = scenario.devices.map { Host(device: $0.model.make(seed: random.next()), settings: $0) }
        self.random = random
    }

    /// Makes a world of devices that no scenario names, such as those with which servers are tested.
    package init(_ devices: [(settings: Scenario.Device, device: any VirtualDevice)], seed: UInt64 = 1) {
        random = RandomSource(seed: seed)
        hosts = devices.map { Host(device: $0.device, settings: $0.settings) }
    }

    /// The devices as they are now, in the scenario's order.
    public var peripherals: [Peripheral] {
        hosts.map(\.peripheral)
    }

    /// The device of this name as it is now.
    public func peripheral(_ name: String) -> Peripheral? {
        hosts.first { $0.name == name }?.peripheral
    }

    /// Whether the device advertises now.
    package func isAdvertising(_ name: String) -> Bool {
        hosts.first { $0.name == name }?.isAdvertising ?? false
    }

    /// The names of the devices that advertise now.
    package var advertising: [String] { hosts.filter(\.isAdvertising).map(\.name) }

    /// Whether the device lets a client bond at this moment.
    public func acceptsPairing(_ name: String) -> Bool {
        hosts.first { $0.name == name }?.device.acceptsPairing ?? false
    }

    /// When something is to happen by itself next: call ``advance(to:)`` then.
    public var nextDeadline: Duration? { hosts.compactMap { $0.next?.time }.min() }

    /// Switches every device on and begins the scenario's plans. Once, first.
    public mutating func start(at now: Duration) -> [WorldOutput] {
        startedAt = now
        var outputs: [WorldOutput] = []
        for index in hosts.indices {
            hosts[index].steps = hosts[index].settings.steps.map {
                Host.PendingStep(due: now + $0.after, step: $0, remaining: $0.times)
            }
            deliver(.poweredOn, to: index, at: now, outputs: &outputs)
        }
        return outputs
    }

    /// Takes what a client or the radio does to a device.
    ///
    /// - Parameters:
    ///   - stimulus: A link that came, went or was encrypted, a read, a write or a subscription.
    ///   - name: The device's scenario name; of an unknown device nothing happens and requests are refused.
    ///   - request: The server's own number for a read or a write, given back with its answer.
    ///   - now: When.
    /// - Returns: What the server must do, in order. Requests that are unanswered when the link goes stay so.
    public mutating func handle(
        _ stimulus: Stimulus, of name: String, request: Int = 0, at now: Duration
    ) -> [WorldOutput] {
        var outputs = advance(to: now)
        guard let index = hosts.firstIndex(where: { $0.name == name }) else {
            if stimulus.isRequest {
                outputs.append(.answer(request: request, .refused(ATTError.unlikely)))
            }
            return outputs
        }
        receive(stimulus, at: index, request: request, now: now, outputs: &outputs)
        return outputs
    }

    /// Carries out a live line such as `belt press home` or `drop belt`.
    public mutating func perform(line: String, at now: Duration) -> [WorldOutput] {
        var outputs = advance(to: now)
        do throws(LiveLine.Misunderstood) {
            guard let line = try LiveLine(line, devices: hosts.map { ($0.name, $0.settings.model.kind) })
            else { return outputs }
            guard let index = hosts.firstIndex(where: { $0.name == line.device }) else { return outputs }
            perform(line.action, on: index, at: now, outputs: &outputs)
        } catch {
            outputs.append(.report(Report(device: nil, time: now, event: .error(error.message))))
        }
        return outputs
    }

    /// Lets everything happen that was due until `now`, each at its own time.
    public mutating func advance(to now: Duration) -> [WorldOutput] {
        var outputs: [WorldOutput] = []
        while true {
            var earliest: (index: Int, time: Duration, what: Host.Due)?
            for index in hosts.indices {
                guard let next = hosts[index].next, next.time <= now else { continue }
                if earliest.map({ next.time < $0.time }) ?? true { earliest = (index, next.time, next.what) }
            }
            guard let earliest else { return outputs }
            let time = max(earliest.time, now - Self.memory)
            fire(earliest.what, of: earliest.index, at: time, outputs: &outputs)
        }
    }
}

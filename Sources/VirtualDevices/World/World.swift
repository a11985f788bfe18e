/// Owns virtual devices with their timers, steps and faults, and creates the outputs for their server.
///
/// The type has no clock and performs no I/O. All times are on one monotonic clock that the server chooses.
public struct World: Sendable {
    var hosts: [Host]
    var random: RandomSource
    var startedAt: Duration?

    /// How late an event can be carried out. An event that was due longer ago than this is carried out as if it was due
    /// this long ago.
    private static let memory: Duration = .seconds(2)

    /// Creates the devices of a scenario, which are off until ``start(at:)``.
    public init(_ scenario: Scenario) {
        var random = RandomSource(seed: scenario.seed)
        hosts = scenario.devices.map { Host(device: $0.model.make(seed: random.next()), settings: $0) }
        self.random = random
    }

    /// Creates a world from devices without a scenario, such as test devices for servers.
    package init(_ devices: [(settings: Scenario.Device, device: any VirtualDevice)], seed: UInt64 = 1) {
        random = RandomSource(seed: seed)
        hosts = devices.map { Host(device: $0.device, settings: $0.settings) }
    }

    /// The current properties of the devices, in the scenario's order.
    public var peripherals: [Peripheral] {
        hosts.map(\.peripheral)
    }

    /// The current properties of the device with this name.
    public func peripheral(_ name: String) -> Peripheral? {
        hosts.first { $0.name == name }?.peripheral
    }

    /// Whether the device currently advertises.
    package func isAdvertising(_ name: String) -> Bool {
        hosts.first { $0.name == name }?.isAdvertising ?? false
    }

    /// The names of the devices that currently advertise.
    package var advertising: [String] { hosts.filter(\.isAdvertising).map(\.name) }

    /// Whether the device currently accepts a bond.
    public func acceptsPairing(_ name: String) -> Bool {
        hosts.first { $0.name == name }?.device.acceptsPairing ?? false
    }

    /// The time of the next scheduled event. Call ``advance(to:)`` at this time.
    public var nextDeadline: Duration? { hosts.compactMap { $0.next?.time }.min() }

    /// Switches every device on and starts the scenario's steps. Must be the first call and occur once.
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

    /// Handles a client's operation or a radio event.
    ///
    /// - Parameters:
    ///   - stimulus: A new, lost or newly encrypted connection, a read, a write or a subscription.
    ///   - name: The device's scenario name. Requests for an unknown device are rejected.
    ///   - request: The server's number for a read or a write, which is returned with the answer.
    ///   - now: The current time.
    /// - Returns: The outputs that the server must carry out, in order. Requests that are unanswered when the
    ///   connection ends get no answer.
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

    /// Executes a live line, which a user types to control a device, such as `belt press home` or `drop belt`.
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

    /// Carries out all events that are due up to `now`, each at its own time.
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

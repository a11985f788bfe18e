import Bluetooth

/// The radio environment of devices and hosts: which hosts receive which devices, at which signal strength, and which
/// hosts are connected to them.
///
/// The type has no clock and performs no I/O. A device with its maximum number of connections does not advertise and
/// rejects further hosts. If a host is frozen or out of range, its connection is suspended for the supervision timeout.
/// During this time, the device does not detect the loss and does not advertise, and packets over the connection wait.
public struct Air: Sendable {
    /// A simulated host, and what it can receive.
    public struct Host: Hashable, Sendable {
        /// The name of the host in live lines and reports.
        public let name: String
        /// The supervision timeout of the host's connections.
        public let supervision: Duration
        /// Whether and how strongly the host receives each device, by the device's name. For a device without an entry,
        /// the scenario defines the signal strength.
        var reaches: [String: Reach]
        /// Whether the host is frozen: it neither receives nor sends.
        var isFrozen = false
        /// The outputs that the host has not processed yet.
        var mail: [WorldOutput] = []

        /// Creates a host.
        ///
        /// - Parameter reaches: Whether and how strongly the host receives each device, by the device's name. For a
        ///   device without an entry, the scenario defines this.
        public init(_ name: String, supervision: Duration, reaches: [String: Reach] = [:]) {
            self.name = name
            self.supervision = supervision
            self.reaches = reaches
        }
    }

    /// A connection of a device to a host.
    struct Link: Sendable {
        let host: Int
        var subscriptions: Set<CharacteristicID> = []
        /// When the suspended connection is lost (the end of its supervision timeout); nil if the connection is not
        /// suspended.
        var end: Duration?
        /// The operations that the host sent during the suspension: reads, writes and subscriptions, with their request
        /// numbers.
        var sent: [(stimulus: Stimulus, request: Int)] = []
        /// The outputs of the device that wait for the end of the suspension.
        var answered: [WorldOutput] = []
    }

    /// A read or write that the device has not answered yet.
    struct Request: Sendable {
        var host: Int
        var device: String
        /// The number by which the host identifies the request.
        var number: Int
    }

    package internal(set) var world: World
    var hosts: [Host]
    /// The connections of each device, in the order of their creation.
    var links: [String: [Link]] = [:]
    var requests: [Int: Request] = [:]
    var lastRequest = 0
    /// The latest time that was passed to any call.
    var now: Duration = .zero
    private var isStarted = false
    var reports: [Report] = []

    /// Creates the environment of several hosts.
    public init(_ world: World, hosts: [Host]) {
        self.world = world
        self.hosts = hosts
    }

    /// Creates the environment of a single host, which receives the devices' reports as part of its outputs.
    ///
    /// - Parameter supervision: The supervision timeout of the host's connections.
    public init(_ world: World, supervision: Duration = .milliseconds(420)) {
        self.init(world, hosts: [Host("", supervision: supervision)])
    }

    /// A placeholder for a daemon that does not run at the moment: if several simulated daemons share an environment,
    /// only the daemon that runs holds it.
    package static let none = Self(World([]), hosts: [])

    /// The names of the hosts, in order.
    public var hostNames: [String] { hosts.map(\.name) }

    var isOfOne: Bool { hosts.count == 1 }

    /// The time of the next scheduled event. Call ``advance(to:for:)`` at this time.
    public var nextDeadline: Duration? {
        let ends = links.values.joined().compactMap(\.end)
        return [world.nextDeadline, ends.min()].compactMap { $0 }.min()
    }

    /// Switches the devices on, if this is the first call.
    public mutating func start(at time: Duration, for host: Int) -> [WorldOutput] {
        now = max(now, time)
        if !isStarted {
            isStarted = true
            route(world.start(at: now))
        }
        return takeMail(of: host)
    }

    /// Moves the simulation on to a time, and carries out all events that are due.
    ///
    /// - Returns: The outputs that the host must carry out, in order.
    public mutating func advance(to time: Duration, for host: Int) -> [WorldOutput] {
        pass(to: time)
        return takeMail(of: host)
    }

    /// Executes a live line: a line that a user types to control a device, such as `belt press home`.
    ///
    /// - Returns: The outputs that the host must carry out, in order.
    public mutating func perform(line: String, at time: Duration, for host: Int) -> [WorldOutput] {
        perform(line: line, at: time)
        return takeMail(of: host)
    }

    /// Executes a live line: a line that a user types to control a device.
    package mutating func perform(line: String, at time: Duration) {
        pass(to: time)
        route(world.perform(line: line, at: now))
    }

    /// The first host that has pending outputs and is not frozen.
    public var hostWithMail: Int? { hosts.firstIndex { !$0.mail.isEmpty && !$0.isFrozen } }

    /// Returns and removes the pending outputs of a host; of a frozen host only the reports.
    mutating func takeMail(of host: Int) -> [WorldOutput] {
        guard hosts.indices.contains(host) else { return [] }
        let (mail, isFrozen) = (hosts[host].mail, hosts[host].isFrozen)
        hosts[host].mail = isFrozen ? mail.filter { !$0.isReport } : []
        return isFrozen ? mail.filter(\.isReport) : mail
    }

    /// Returns and removes the reports. With a single host, the result is empty, because that host receives the
    /// reports.
    public mutating func takeReports() -> [Report] {
        defer { reports = [] }
        return reports
    }

    /// Advances the time. Each suspended connection is lost at the end of its supervision timeout.
    package mutating func pass(to time: Duration) {
        let end = max(now, time)
        while let next = nextEnd, next.time <= end {
            now = max(now, next.time)
            route(world.advance(to: now))
            lose(next.device, of: next.host)
        }
        now = end
        route(world.advance(to: now))
    }

    private var nextEnd: (time: Duration, device: String, host: Int)? {
        var best: (time: Duration, device: String, host: Int)?
        for (device, held) in links {
            for link in held {
                guard let end = link.end else { continue }
                if best.map({ (end, device, link.host) < $0 }) ?? true { best = (end, device, link.host) }
            }
        }
        return best
    }
}

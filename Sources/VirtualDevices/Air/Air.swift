import Bluetooth

/// Devices and the hosts around them: which host hears which device how strongly, and which hosts hold it.
///
/// A pure value. A device that has as many links as it takes does not advertise, and refuses every other host. A link
/// whose host stands still or is out of reach hangs for the host's supervision time: until then the device neither
/// knows nor advertises, and what is sent over the link waits.
public struct Air: Sendable {
    /// A host as the radio knows it.
    public struct Host: Hashable, Sendable {
        /// Its name.
        public let name: String
        /// After what silence its links are lost.
        public let supervision: Duration
        /// How it hears the devices that are elsewhere than their scenario says.
        var reaches: [String: Reach]
        /// Whether it stands still: it neither hears nor says anything.
        var isFrozen = false
        /// What it has not taken yet.
        var mail: [WorldOutput] = []

        /// Makes a host.
        ///
        /// - Parameter reaches: How it hears devices, by their names; the others as their scenario says.
        public init(_ name: String, supervision: Duration, reaches: [String: Reach] = [:]) {
            self.name = name
            self.supervision = supervision
            self.reaches = reaches
        }
    }

    /// A link of a device to a host.
    struct Link: Sendable {
        let host: Int
        var subscriptions: Set<CharacteristicID> = []
        /// When it is lost, if it hangs.
        var end: Duration?
        /// What the host sent while it hangs: a read, a write or a subscription, with the number of a request.
        var sent: [(stimulus: Stimulus, request: Int)] = []
        /// What the device sent while it hangs.
        var answered: [WorldOutput] = []
    }

    /// A read or a write that is not answered.
    struct Request: Sendable {
        var host: Int
        var device: String
        /// The host's own number for it.
        var number: Int
    }

    /// The devices.
    package internal(set) var world: World
    var hosts: [Host]
    /// The links of each device, in the order in which they were made.
    var links: [String: [Link]] = [:]
    var requests: [Int: Request] = [:]
    var lastRequest = 0
    /// The latest time that it was told of.
    var now: Duration = .zero
    private var isStarted = false
    var reports: [Report] = []

    /// Makes the air around hosts.
    public init(_ world: World, hosts: [Host]) {
        self.world = world
        self.hosts = hosts
    }

    /// Makes the air of a single host, which gets the reports with all else.
    ///
    /// - Parameter supervision: After what silence its links are lost.
    public init(_ world: World, supervision: Duration = .milliseconds(420)) {
        self.init(world, hosts: [Host("", supervision: supervision)])
    }

    /// The air of a daemon that does not run, while another one has what they share.
    package static let none = Self(World([]), hosts: [])

    /// The names of the hosts, in order.
    public var hostNames: [String] { hosts.map(\.name) }

    /// Whether there is but one host.
    var isOfOne: Bool { hosts.count == 1 }

    /// When something is to happen by itself next: call ``advance(to:for:)`` then.
    public var nextDeadline: Duration? {
        let ends = links.values.joined().compactMap(\.end)
        return [world.nextDeadline, ends.min()].compactMap { $0 }.min()
    }

    /// Switches the devices on, at its first call.
    public mutating func start(at time: Duration, for host: Int) -> [WorldOutput] {
        now = max(now, time)
        if !isStarted {
            isStarted = true
            route(world.start(at: now))
        }
        return takeMail(of: host)
    }

    /// Lets everything happen that was due until a time.
    ///
    /// - Returns: What the host must carry out, in order.
    public mutating func advance(to time: Duration, for host: Int) -> [WorldOutput] {
        pass(to: time)
        return takeMail(of: host)
    }

    /// Carries out a live line.
    ///
    /// - Returns: What the host must carry out, in order.
    public mutating func perform(line: String, at time: Duration, for host: Int) -> [WorldOutput] {
        perform(line: line, at: time)
        return takeMail(of: host)
    }

    /// Carries out a live line.
    package mutating func perform(line: String, at time: Duration) {
        pass(to: time)
        route(world.perform(line: line, at: now))
    }

    /// The first host that has something to carry out and does not stand still.
    public var hostWithMail: Int? { hosts.firstIndex { !$0.mail.isEmpty && !$0.isFrozen } }

    /// Returns what a host has to carry out, and forgets it.
    mutating func takeMail(of host: Int) -> [WorldOutput] {
        guard hosts.indices.contains(host), !hosts[host].isFrozen else { return [] }
        defer { hosts[host].mail = [] }
        return hosts[host].mail
    }

    /// Returns what was reported, and forgets it; nothing if there is but one host, which gets the reports.
    public mutating func takeReports() -> [Report] {
        defer { reports = [] }
        return reports
    }

    /// Lets time pass: links that hang are lost, each at its own time.
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

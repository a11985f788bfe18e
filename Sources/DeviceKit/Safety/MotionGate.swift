/// Decides what may move on one device that can hurt a person: a pure value.
///
/// It is told of the link, the guardian, the broker's connection, echoes, subscriptions, commands, stops and time. It
/// says whether a command may move the device, why not, and when the device must be stopped or lose its power
/// without a command for that. Every hazardous device has one; nothing else decides these questions.
///
/// The rules, each of which `Tests/Model` shows to be needed:
///
/// 1. A command that moves counts only while the newest echo that came back was sent at most
/// ``Limits/maxPathDelay``
///    ago, and, if it names an echo itself, only while that one is not older.
/// 2. After a stop, and the start of the bridge is one, nothing moves until, counted only while rule 1 is
/// met, no command
///    that moves arrived for a while, and an echo that was sent after it came back. A press of a joystick that was heard
///    in the minute before the stop, or since, never moves it again. Power on counts as a command that moves unless the
///    device has its power: where a stop took it, power on is the release.
/// 3. Nothing moves while a stop could not arrive, because its subscription is missing.
/// 4. Nothing moves unless a guardian runs that has answered since it received this link's first will. What moves already
///    ends with its lease.
/// 5. Where the echoes stop coming back, the device is stopped; five seconds later its power is taken.
public struct MotionGate: Hashable, Sendable {
    /// What the configuration says of it.
    public struct Limits: Hashable, Sendable {
        /// How old the newest returned echo may be.
        public var maxPathDelay: Duration
        /// The longest time that a command may ask for.
        public var longestLease: Duration

        /// Sets limits.
        public init(maxPathDelay: Duration = .milliseconds(750), longestLease: Duration = .seconds(2)) {
            self.maxPathDelay = maxPathDelay
            self.longestLease = longestLease
        }

        /// How often an echo is sent: a third of the delay, but every 250 ms at least.
        public var echoPeriod: Duration { min(maxPathDelay / 3, .milliseconds(250)) }
    }

    /// Why nothing moves now.
    public enum Block: String, Hashable, Sendable, CaseIterable {
        /// A stop cannot arrive: the broker has not granted its subscription.
        case subscription
        /// The way from the broker is late, or not measured yet.
        case path
        /// No guardian is known to have the device's will: if the bridge died, nothing would stop the device.
        case guardian
        /// A stop came.
        case stopped
    }

    /// What must be done without a command.
    public enum Order: Hashable, Sendable {
        /// Stop motion and weapon: the way from the broker was lost.
        case stop
        /// Take the power too: it did not come back.
        case cutPower
        /// Send an echo: when it comes back, it proves that nothing that moves is still on its way.
        case echo
    }

    /// What becomes of a command.
    public enum Verdict: Hashable, Sendable {
        /// It may be carried out.
        case admitted
        /// It asks for rest, which a stop has brought already: there is nothing to do.
        case alreadyAtRest
        /// It is not carried out.
        case refused(CommandError)
    }

    /// How long after the path was lost the power is taken.
    static let powerTime = Duration.seconds(5)
    private static let usualLease = Duration.milliseconds(500)

    /// What the configuration says.
    public let limits: Limits
    let echoTopic: String
    private(set) var path: MotionPath
    private(set) var hold = StopHold()
    private var presses = HoldLedger()
    private var isLinked = false
    /// Whether a guardian runs that has answered since it received this link's first will.
    public private(set) var isGuarded = false
    /// Since when the way is fresh; nil while it is not.
    private var freshSince: Duration?
    /// When the power is taken because the way was lost.
    private var powerEnd: Duration?
    /// The topics of stops whose subscription is missing; nil until that is told.
    private(set) var missing: [String]?
    /// Since when all is subscribed that the broker may have something in store for.
    private var completeSince: Duration?

    /// Makes a gate of a device that has no link yet.
    ///
    /// - Parameters:
    ///   - limits: What the configuration says.
    ///   - echoTopic: Where the echoes go, for messages to people.
    public init(_ limits: Limits, echoTopic: String) {
        self.limits = limits
        self.echoTopic = echoTopic
        path = MotionPath(limit: limits.maxPathDelay)
        // What moved before the bridge started is not known: the longest lease covers it.
        hold.stop(.start, at: .zero, atLeast: limits.longestLease)
    }

    /// Takes over what an earlier gate of the same device knows of stops and presses.
    public mutating func adopt(_ former: MotionGate) { (hold, presses) = (former.hold, former.presses) }

    // MARK: What it is told

    /// The link to the device is there: echoes are sent from now on.
    public mutating func linked(at now: Duration) {
        isLinked = true
        isGuarded = false
        if freshSince == nil, path.isFresh(at: now) { freshSince = now }
    }

    /// The link to the device is gone.
    public mutating func unlinked(at now: Duration) {
        guard isLinked else { return }
        (isLinked, isGuarded) = (false, false)
        path.forget()
        (freshSince, powerEnd) = (nil, nil)
        // A reload that changes a device closes its link too.
        stopped(hold.active?.cause == .reload ? .reload : .linkLost, at: now)
    }

    /// The guardian has answered since it received this link's first will, or is gone.
    public mutating func guarded(_ isGuarded: Bool) { self.isGuarded = isGuarded }

    /// The broker is connected: earlier echoes count no more.
    public mutating func connected(at now: Duration) {
        path.connect(at: now)
        freshSince = nil
    }

    /// The broker is gone. The stop that follows from it is told as any other.
    public mutating func disconnected() {
        path.disconnect()
        (freshSince, powerEnd, missing, completeSince) = (nil, nil, nil, nil)
    }

    /// Says which subscriptions the broker has not granted.
    ///
    /// - Parameters:
    ///   - topics: Those of stops; none is well.
    ///   - isRecallMissing: Whether that of what is recalled from the broker is missing too.
    public mutating func subscriptions(
        missing topics: [String], isRecallMissing: Bool = false, at now: Duration
    ) {
        missing = topics
        if !topics.isEmpty || isRecallMissing {
            completeSince = nil
        } else if completeSince == nil {
            completeSince = now
        }
    }

    /// An echo was handed to the socket.
    public mutating func echoSent(_ value: String, at now: Duration) { path.sent(value, at: now) }

    /// An echo came back, live.
    public mutating func echoReturned(_ value: String, at now: Duration) {
        path.returned(value, at: now)
        guard isLinked, path.isFresh(at: now) else { return }
        powerEnd = nil
        if freshSince == nil { freshSince = now }
        if let freshSince { hold.release(freshSince: freshSince, newest: path.newest) }
    }

    /// The device was stopped: motion must be asked for anew.
    public mutating func stopped(_ cause: MotionStop, at now: Duration) {
        hold.stop(cause, at: now)
        presses.stop(at: now)
    }

    /// A command for the device arrived, whatever becomes of it.
    ///
    /// - Parameter hasPower: Whether the device has its power, as it is commanded.
    public mutating func observe(
        _ request: MotionRequest, hasPower: @autoclosure () -> Bool = false, at arrival: Duration
    ) {
        if let press = request.hold { presses.note(press, at: arrival, isStopped: hold.active != nil) }
        let lease: Duration?
        switch request.demand {
        case .none, .rest: return
        case .power:
            guard !hasPower() else { return }
            lease = nil
        case .motion(let time): lease = time
        }
        hold.noteMotion(min(max(lease ?? Self.usualLease, .zero), limits.longestLease), at: arrival)
    }

    /// Lets time pass.
    ///
    /// - Returns: What must be done now, in order.
    public mutating func advance(to now: Duration) -> [Order] {
        var orders: [Order] = []
        if freshSince != nil, !path.isFresh(at: now) {
            freshSince = nil
            powerEnd = (path.end ?? now) + Self.powerTime
            stopped(.pathLost, at: now)
            orders.append(.stop)
        }
        if let end = powerEnd, now >= end {
            powerEnd = nil
            orders.append(.cutPower)
        }
        if let freshSince, let due = hold.proofDue(freshSince: freshSince), now >= due {
            hold.askForProof(freshSince: freshSince)
            orders.append(.echo)
        }
        return orders
    }

    /// When time must be told next; nil if nothing changes by time alone.
    public var next: Duration? {
        let proof = freshSince.flatMap { hold.proofDue(freshSince: $0) }
        // A way is fresh up to and including its end.
        let loss = freshSince == nil ? nil : path.end.map { $0 + .nanoseconds(1) }
        return [proof, loss, powerEnd].compactMap { $0 }.min()
    }

    // MARK: What it says

    /// Why nothing that moves is taken now; nil if it would be.
    public func block(at now: Duration) -> Block? {
        guard missing?.isEmpty ?? false else { return .subscription }
        if freshSince == nil || !path.isFresh(at: now) { return .path }
        guard isGuarded else { return .guardian }
        return hold.active == nil ? nil : .stopped
    }

    /// Whether all that the broker had in store for the device has arrived: an echo came back that was sent
    /// after the last subscription was granted, and MQTT keeps the order of messages of one quality of
    /// service.
    public var hasStore: Bool {
        guard let completeSince, let newest = path.newest else { return false }
        return newest > completeSince
    }

    /// Whether nothing blocks motion, and all that the broker had in store has arrived.
    public func isSettled(at now: Duration) -> Bool { hasStore && block(at: now) == nil }

    /// Decides on a command that was observed before.
    public func judge(_ request: MotionRequest, at now: Duration) -> Verdict {
        switch request.demand {
        case .none: return .admitted
        case .rest: return hold.active == nil ? .admitted : .alreadyAtRest
        case .power, .motion: break
        }
        if let block = block(at: now) { return .refused(refusal(block, at: now)) }
        if let press = request.hold, presses.isEnded(press) {
            return .refused(
                CommandError(
                    .hold, "a stop came after this press (hold \(press)) began: let go, and press anew"))
        }
        if let echo = request.echo, !isRecent(echo, at: now) {
            return .refused(
                CommandError(
                    .sender,
                    "echo: \(echo.prefix(64)) was not sent by this bridge within the last "
                        + "\(Self.milliseconds(limits.maxPathDelay)) ms and since the last stop ended: the way from the "
                        + "sender is late"))
        }
        return .admitted
    }

    /// Whether an echo that a sender read is young enough, and no older than the one that ended the last
    /// stop.
    private func isRecent(_ echo: String, at now: Duration) -> Bool {
        guard let sent = path.sendTime(of: echo, at: now) else { return false }
        return hold.proof.map { sent >= $0 } ?? true
    }
}

/// Decides whether commands can move one device that can injure people: a pure value, without input or output.
///
/// The inputs of a gate are the link, the guardian, the broker connection, echoes, subscriptions, commands, stops and
/// time. An echo is a message that the bridge sends to itself through the broker. The gate decides whether a command
/// can move the device, and why not. It also decides when the device must stop, or lose its power, without a command.
/// Every hazardous device has one gate; no other code makes these decisions.
///
/// The rules, each of which `Tests/Model` shows to be necessary:
///
/// 1. A command that moves is accepted only while the newest returned echo was sent at most ``Limits/maxPathDelay``
///    ago. If the command names an echo, that echo must not be older either.
/// 2. A stop blocks motion, and so does the start of the bridge. The block ends when no command that moves arrived for
///    a quiet period, and an echo that was sent after this period came back. Only time in which rule 1 is met counts. A
///    joystick press whose commands arrived in the minute before the stop, or since, never moves the device again. The
///    command that switches the power on counts as a command that moves, unless the device already has power. After a
///    stop that switched the power off, the sender therefore sends this command only after the quiet period.
/// 3. Nothing moves while a stop could not arrive because its subscription is missing.
/// 4. Nothing moves unless a guardian is running that has answered since it received the first will of this link. A
///    motion that is already in progress ends with its lease.
/// 5. If echoes stop coming back, the device is stopped. Five seconds later, its power is switched off.
public struct MotionGate: Hashable, Sendable {
    /// The limits that the configuration sets for the device.
    public struct Limits: Hashable, Sendable {
        /// The maximum age of the newest echo that came back.
        public var maxPathDelay: Duration
        /// The longest lease of a command: the time for which a motion command is valid.
        public var longestLease: Duration

        /// Creates limits.
        public init(maxPathDelay: Duration = .milliseconds(750), longestLease: Duration = .seconds(2)) {
            self.maxPathDelay = maxPathDelay
            self.longestLease = longestLease
        }

        /// The time between two echoes: a third of the maximum delay, but at most 250 ms.
        public var echoPeriod: Duration { min(maxPathDelay / 3, .milliseconds(250)) }
    }

    /// Why no motion is currently possible.
    public enum Block: String, Hashable, Sendable, CaseIterable {
        /// A stop cannot arrive: the broker has not granted its subscription.
        case subscription
        /// Messages from the broker are delayed, or no echo has measured the delay yet.
        case path
        /// No guardian has confirmed the device's will: if the bridge crashed, nothing would stop the device.
        case guardian
        /// A stop is in force: motion must be requested again after a quiet period.
        case stopped
    }

    /// An action that is necessary without a command.
    public enum Order: Hashable, Sendable {
        /// Stop the motion and the weapon of the device, because messages from the broker are delayed.
        case stop
        /// Also switch the power off, because messages from the broker are still delayed after ``powerTime``.
        case cutPower
        /// Send an echo. When it comes back, no older command that moves is still in transit.
        case echo
    }

    /// The decision about whether a command is carried out.
    public enum Verdict: Hashable, Sendable {
        /// The command can be carried out.
        case admitted
        /// The command asks the device to stand still, and a stop has already stopped the device. No action is
        /// necessary.
        case alreadyAtRest
        /// The command is not carried out.
        case refused(CommandError)
    }

    /// How long messages from the broker can be delayed, after the device was stopped, until its power is also switched
    /// off.
    static let powerTime = Duration.seconds(5)
    private static let usualLease = Duration.milliseconds(500)

    /// The limits that the configuration sets for the device.
    public let limits: Limits
    let echoTopic: String
    private(set) var path: MotionPath
    private(set) var hold = StopHold()
    private var presses = HoldLedger()
    private var isLinked = false
    /// Whether a guardian is running that has answered since it received the first will of this link.
    public private(set) var isGuarded = false
    /// The time since which messages from the broker arrive without too much delay (the path is *fresh*); nil while
    /// they are delayed.
    private var freshSince: Duration?
    /// The time at which the power will be switched off because messages from the broker are delayed; nil if they are
    /// not delayed or the power is already off.
    private var powerEnd: Duration?
    /// The topics of stops whose subscription the broker has not granted; nil if these are unknown.
    private(set) var missing: [String]?
    /// The time since which all topics are subscribed that can have retained messages for the device.
    private var completeSince: Duration?

    /// Creates the gate of a device that has no link yet.
    ///
    /// - Parameters:
    ///   - limits: The limits that the configuration sets for the device.
    ///   - echoTopic: The topic of the echoes, for error messages.
    public init(_ limits: Limits, echoTopic: String) {
        self.limits = limits
        self.echoTopic = echoTopic
        path = MotionPath(limit: limits.maxPathDelay)
        // The bridge does not know the commands from before its start. A quiet period as long as the longest lease
        // covers them.
        hold.stop(.start, at: .zero, atLeast: limits.longestLease)
    }

    /// Copies the stops and joystick presses from an earlier gate of the same device, so that a new session of the
    /// device does not end a stop.
    public mutating func adopt(_ former: MotionGate) { (hold, presses) = (former.hold, former.presses) }

    // MARK: Inputs

    /// Records that the link to the device is up. Echoes are sent from this moment on.
    public mutating func linked(at now: Duration) {
        isLinked = true
        isGuarded = false
        if freshSince == nil, path.isFresh(at: now) { freshSince = now }
    }

    /// Records that the link to the device is gone.
    public mutating func unlinked(at now: Duration) {
        guard isLinked else { return }
        (isLinked, isGuarded) = (false, false)
        path.forget()
        (freshSince, powerEnd) = (nil, nil)
        // If a reload caused the last stop, the reload has also closed the link, so the cause remains the reload.
        stopped(hold.active?.cause == .reload ? .reload : .linkLost, at: now)
    }

    /// Records whether a guardian is running that has answered since it received the first will of this link.
    public mutating func guarded(_ isGuarded: Bool) { self.isGuarded = isGuarded }

    /// Records that the broker connection is up. Earlier echoes no longer count.
    public mutating func connected(at now: Duration) {
        path.connect(at: now)
        freshSince = nil
    }

    /// Records that the broker connection is lost. This method does not stop the device: the session then handles
    /// ``StopCause/brokerLost``, and reports the stop by ``stopped(_:at:)``.
    public mutating func disconnected() {
        path.disconnect()
        (freshSince, powerEnd, missing, completeSince) = (nil, nil, nil, nil)
    }

    /// Records which subscriptions the broker has not granted.
    ///
    /// - Parameters:
    ///   - topics: The topics of stops; empty if all are granted.
    ///   - isRecallMissing: Whether the subscription for retained states is missing too.
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

    /// Records that an echo was passed to the socket of the broker connection.
    public mutating func echoSent(_ value: String, at now: Duration) { path.sent(value, at: now) }

    /// Records that an echo came back as a live message, which means not as a retained message.
    public mutating func echoReturned(_ value: String, at now: Duration) {
        path.returned(value, at: now)
        guard isLinked, path.isFresh(at: now) else { return }
        powerEnd = nil
        if freshSince == nil { freshSince = now }
        if let freshSince { hold.release(freshSince: freshSince, newest: path.newest) }
    }

    /// Records that the device was stopped. The sender must request motion again.
    public mutating func stopped(_ cause: MotionStop, at now: Duration) {
        hold.stop(cause, at: now)
        presses.stop(at: now)
    }

    /// Records that a command for the device arrived, whether it is accepted or not.
    ///
    /// - Parameter hasPower: Whether a command has switched the device on.
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

    /// Advances the time of the gate.
    ///
    /// - Returns: The actions that are necessary now, in order.
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

    /// The time at which ``advance(to:)`` must be called next; nil if the passage of time alone changes nothing.
    public var next: Duration? {
        let proof = freshSince.flatMap { hold.proofDue(freshSince: $0) }
        // The path is fresh up to and including `path.end`, so the loss is one nanosecond later.
        let loss = freshSince == nil ? nil : path.end.map { $0 + .nanoseconds(1) }
        return [proof, loss, powerEnd].compactMap { $0 }.min()
    }

    // MARK: Outputs

    /// Returns the reason why no command that moves is accepted now; nil if such commands are accepted.
    public func block(at now: Duration) -> Block? {
        guard missing?.isEmpty ?? false else { return .subscription }
        if freshSince == nil || !path.isFresh(at: now) { return .path }
        guard isGuarded else { return .guardian }
        return hold.active == nil ? nil : .stopped
    }

    /// Whether all retained messages for the device have arrived.
    ///
    /// The proof is a returned echo that was sent after the last subscription was granted. MQTT preserves the order of
    /// messages with equal quality of service.
    public var hasStore: Bool {
        guard let completeSince, let newest = path.newest else { return false }
        return newest > completeSince
    }

    /// Whether nothing blocks motion, and all retained messages have arrived.
    public func isSettled(at now: Duration) -> Bool { hasStore && block(at: now) == nil }

    /// Decides about a command after ``observe(_:hasPower:at:)``.
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
                    .hold, "a stop arrived after this press (hold \(press)) started: release, and press again"
                ))
        }
        if let echo = request.echo, !isRecent(echo, at: now) {
            return .refused(
                CommandError(
                    .sender,
                    "echo: \(echo.prefix(64)) was not sent by this bridge within the last "
                        + "\(Self.milliseconds(limits.maxPathDelay)) ms and since the last stop ended: messages from "
                        + "the sender are delayed"))
        }
        return .admitted
    }

    /// Whether an echo that a sender has read is recent enough, and not older than the echo that ended the last stop.
    private func isRecent(_ echo: String, at now: Duration) -> Bool {
        guard let sent = path.sendTime(of: echo, at: now) else { return false }
        return hold.proof.map { sent >= $0 } ?? true
    }
}

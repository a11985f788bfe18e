package import JSON

/// Who drives which robot, and whether what a driver's hand says still counts; pure.
///
/// A hold begins with a press and ends for good: by its release, a stop, another driver, the end of the page, or
/// 300 ms without a drive that counts. A drive counts only with a tick that was sent a short time ago: a browser that stood
/// still, or a network, sends old ticks with what it hands over late.
package struct DriveDesk {
    /// How far apart ticks are.
    package static let tick = Duration.milliseconds(100)
    /// After how long without a drive that counts a hold is over.
    package static let patience = Duration.milliseconds(300)
    /// How long a forwarded drive holds, in milliseconds.
    static let lease = 400
    /// How long a status is awaited that is newer than a stop, or than a press where none is known.
    static let statusPatience = Duration.milliseconds(500)
    /// How often the way is measured.
    static let measuring = Duration.seconds(1)
    /// How many sticks there are, and how many ticks are remembered of each.
    static let limits = (holds: 64, ticks: 32)

    /// What is to be done.
    package enum Effect: Hashable, Sendable {
        /// The tab is to be given a tick.
        case tick(tab: Int, device: String, number: Int)
        /// All tabs are to be told who has the stick now.
        case stick(device: String)
        /// The tab is to be told that its hold is over.
        case over(tab: Int, device: String, hold: String, reason: String)
        /// The robot is to be told to move.
        case drive(Forward)
        /// The robot is to be told to stop, over the connection of the tab that drove it.
        case stop(device: String, tab: Int)
        /// The tab is to be told why what it asked for is not done.
        case refused(tab: Int, device: String, id: String?, code: String, message: String)
    }

    /// A drive that is forwarded.
    package struct Forward: Hashable, Sendable {
        package var tab: Int
        package var device: String
        package var payload: JSON.Object
        /// By which the page wants the bridge's answer.
        package var id: String?
        /// Whether the answer is wanted to measure the way; then how long the way from the tick to the drive was.
        package var measured: Duration?
    }

    /// Whether a robot stands because of a stop, by the newest status that its bridge published.
    package enum Standing: Hashable, Sendable {
        case free, stopped
        /// No status has come since a moment.
        case unknown(since: Duration)
    }

    private struct Hold {
        let tab: Int
        let user: String?
        let name: String
        /// What the bridge knows the press by.
        let number: Int
        var ticks: [(number: Int, sent: Duration)] = []
        var nextTick: Duration
        var lastAccepted: Duration
        var lastMeasured: Duration?
        var waitingID: String?
        var hasDriven = false
        var standing: Standing
    }

    private let maxDelay: Duration
    private let random: () -> Int
    private var holds: [String: Hold] = [:]
    /// When robots were stopped whose statuses may still be from before.
    private var stopped: [String: Duration] = [:]
    /// When the stick of a robot was pressed last.
    private var pressed: [String: Duration] = [:]
    private var lastTick = 0

    /// - Parameters:
    ///   - maxDelay: How long ago a drive's tick may have been sent.
    ///   - random: A number from 0 up to 2⁵³ - 1, another one each time.
    package init(maxDelay: Duration, random: @escaping () -> Int) {
        self.maxDelay = maxDelay
        self.random = random
    }

    /// The tab that has a robot's stick, with its user's name and its own name of the press.
    package func holder(_ device: String) -> (tab: Int, user: String?, hold: String)? {
        holds[device].map { ($0.tab, $0.user, $0.name) }
    }

    /// The robots whose sticks are held.
    package var devices: [String] { holds.keys.sorted() }

    /// When ``advance(to:)`` has something to do.
    package var due: Duration? {
        holds.values.map { min($0.nextTick, $0.lastAccepted + Self.patience) }.min()
    }

    /// A press of the stick.
    ///
    /// - Parameter standing: What the newest status says; nil if there is none.
    package mutating func press(
        _ device: String, hold: String, tab: Int, user: String?, takesOver: Bool, standing: Standing? = nil,
        at now: Duration
    ) -> [Effect] {
        var effects = advance(to: now)
        if let held = holds[device] {
            guard held.tab == tab || takesOver else {
                return effects + [
                    .refused(
                        tab: tab, device: device, id: nil, code: "no_stick",
                        message: "\(held.user ?? "another page") drives \(device)")
                ]
            }
            effects += end(device, held.tab == tab ? "released" : "taken", at: now)
        }
        guard holds.count < Self.limits.holds else {
            return effects + [
                .refused(
                    tab: tab, device: device, id: nil, code: "no_stick", message: "too many robots are driven"
                )
            ]
        }
        stopped = stopped.filter { now - $0.value < Self.statusPatience }
        pressed = pressed.filter { now - $0.value < StopDesk.memory }
        pressed[device] = now
        holds[device] = Hold(
            tab: tab, user: user, name: hold, number: random(), nextTick: now, lastAccepted: now,
            standing: stopped[device].map { .unknown(since: $0) } ?? standing ?? .unknown(since: now))
        return effects + [.stick(device: device)] + advance(to: now)
    }

    /// What the hand on the stick says.
    ///
    /// - Parameters:
    ///   - echo: The newest value of the bridge's message to itself; nil if there is none.
    ///   - isWritable: Whether the broker takes a message at once.
    package mutating func drive(
        _ drive: ClientMessage.Drive, tab: Int, echo: String?, isWritable: Bool, at now: Duration
    ) -> [Effect] {
        var effects = advance(to: now)
        let device = drive.device
        func refused(_ code: String, _ message: String) -> [Effect] {
            [.refused(tab: tab, device: device, id: drive.id, code: code, message: message)]
        }
        guard var hold = holds[device], hold.tab == tab, hold.name == drive.hold else {
            return effects + refused("no_stick", "the hold is over: press anew")
        }
        guard let sent = hold.ticks.first(where: { $0.number == drive.tick })?.sent, now - sent <= maxDelay
        else {
            return effects + refused("too_late", "its tick is older than \(maxDelay)")
        }
        guard isWritable else { return effects + refused("no_broker", "the broker does not take it now") }
        hold.lastAccepted = now
        if let id = drive.id { hold.waitingID = id }
        guard Self.mayMove(hold.standing, at: now) else {
            // The stick is held. A drive that is forwarded now would have the bridge keep the robot standing.
            holds[device] = hold
            return effects
        }
        var payload = JSON.Object()
        for key in ["direction", "speed", "x", "y", "turn"] {
            payload[key] = drive.motion[key].map { .number($0) }
        }
        payload["duration_ms"] = .integer(Self.lease)
        payload["hold"] = .integer(hold.number)
        if let echo { payload["echo"] = .string(echo) }
        var forward = Forward(tab: tab, device: device, payload: payload, id: hold.waitingID)
        if hold.lastMeasured.map({ now - $0 >= Self.measuring }) ?? true {
            forward.measured = now - sent
            hold.lastMeasured = now
        }
        hold.waitingID = nil
        hold.hasDriven = true
        holds[device] = hold
        effects.append(.drive(forward))
        return effects
    }

    private static func mayMove(_ standing: Standing, at now: Duration) -> Bool {
        switch standing {
        case .free: true
        case .stopped: false
        case .unknown(let since): now - since >= statusPatience
        }
    }

    /// A robot's bridge has published its status. A stop by anyone ends a hold that has moved the robot.
    ///
    /// - Parameter blockedBy: Why nothing moves; nil if it may.
    package mutating func status(_ device: String, blockedBy: String?, at now: Duration) -> [Effect] {
        stopped[device] = nil
        guard var hold = holds[device] else { return [] }
        hold.standing = blockedBy == "stopped" ? .stopped : .free
        holds[device] = hold
        guard hold.standing == .stopped, hold.hasDriven else { return [] }
        return withoutStops(end(device, "stopped", at: now))
    }

    /// Whether a robot's statuses are of interest.
    package func needsStatus(_ device: String) -> Bool { holds[device] != nil || stopped[device] != nil }

    /// Whether the stick of a robot, or of any if nil, was pressed after a moment.
    package func isPressed(_ device: String?, after moment: Duration) -> Bool {
        pressed.contains { $0.value > moment && (device == nil || $0.key == device) }
    }

    /// The stick is let go.
    package mutating func release(_ device: String, hold: String, tab: Int, at now: Duration) -> [Effect] {
        guard let held = holds[device], held.tab == tab, held.name == hold else { return [] }
        return end(device, "released", at: now)
    }

    /// A stop of a robot, or of everything: the holds are over. The stop itself is the caller's to send.
    package mutating func stop(_ device: String?, at now: Duration) -> [Effect] {
        let devices = device.map { [$0] } ?? self.devices
        for device in devices { stopped[device] = now }
        return withoutStops(devices.flatMap { end($0, "stopped", at: now) })
    }

    private func withoutStops(_ effects: [Effect]) -> [Effect] {
        effects.filter { if case .stop = $0 { false } else { true } }
    }

    /// A page is gone.
    package mutating func leave(tab: Int, at now: Duration) -> [Effect] {
        holds.filter { $0.value.tab == tab }.keys.sorted().flatMap { end($0, "released", at: now) }
    }

    /// Ends all holds of some tabs: the broker is away, or the console ends.
    package mutating func endAll(
        _ reason: String, at now: Duration, where isMeant: (Int) -> Bool = { _ in true }
    )
        -> [Effect]
    {
        holds.filter { isMeant($0.value.tab) }.keys.sorted().flatMap { end($0, reason, at: now) }
    }

    /// Sends the ticks that are due, and ends what was silent for too long.
    package mutating func advance(to now: Duration) -> [Effect] {
        var effects: [Effect] = []
        for device in devices {
            guard var hold = holds[device] else { continue }
            guard now - hold.lastAccepted < Self.patience else {
                effects += end(device, "late", at: now)
                continue
            }
            guard now >= hold.nextTick else { continue }
            lastTick += 1
            hold.ticks = hold.ticks.suffix(Self.limits.ticks - 1) + [(lastTick, now)]
            hold.nextTick = max(hold.nextTick + Self.tick, now)
            holds[device] = hold
            effects.append(.tick(tab: hold.tab, device: device, number: lastTick))
        }
        return effects
    }

    private mutating func end(_ device: String, _ reason: String, at now: Duration) -> [Effect] {
        guard let hold = holds.removeValue(forKey: device) else { return [] }
        var effects: [Effect] = []
        if hold.hasDriven {
            stopped[device] = now
            effects.append(.stop(device: device, tab: hold.tab))
        }
        return effects + [
            .over(tab: hold.tab, device: device, hold: hold.name, reason: reason), .stick(device: device),
        ]
    }
}

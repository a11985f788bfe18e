package import JSON

/// Tracks which page drives which robot, and which drive commands are valid. A state machine without side effects.
///
/// A hold starts when a user presses the stick of a robot. It ends with the release, a stop, a press by another user,
/// the end of the page, or after 300 ms without a valid drive command. The console sends numbered ticks to the page. A
/// drive command is valid only with a recently sent tick, because a suspended browser or a slow network delivers old
/// commands with old ticks.
package struct DriveDesk {
    /// The interval between ticks to a page.
    package static let tick = Duration.milliseconds(100)
    /// The time without a valid drive command after which a hold ends.
    package static let patience = Duration.milliseconds(300)
    /// The time in milliseconds for which the robot follows a forwarded drive command.
    static let lease = 400
    /// The maximum time for which the console waits for a newer status of a robot before it forwards drive commands:
    /// after a stop, and after a press if the status is unknown.
    static let statusPatience = Duration.milliseconds(500)
    /// The interval between latency measurements.
    static let measuring = Duration.seconds(1)
    /// The maximum number of sticks that are held at once, and of remembered ticks for each stick.
    static let limits = (holds: 64, ticks: 32)

    /// What the caller has to do.
    package enum Effect: Hashable, Sendable {
        /// Send a tick to the tab, a page in a browser.
        case tick(tab: Int, device: String, number: Int)
        /// Report the new holder of a robot's stick, or that nobody holds it, to all tabs.
        case stick(device: String)
        /// Report to the tab that its hold has ended.
        case over(tab: Int, device: String, hold: String, reason: String)
        case drive(Forward)
        /// Send a stop to the robot, over the connection of the tab that drove it.
        case stop(device: String, tab: Int)
        /// Report to the tab why its message was refused.
        case refused(tab: Int, device: String, id: String?, code: String, message: String)
    }

    package struct Forward: Hashable, Sendable {
        package var tab: Int
        package var device: String
        package var payload: JSON.Object
        /// The id under which the page receives the bridge's answer.
        package var id: String?
        /// The time from the tick to the drive command, if the bridge's answer is used to measure the round trip;
        /// otherwise nil.
        package var measured: Duration?
    }

    /// Whether a stop blocks a robot, according to the newest status from its bridge.
    package enum Standing: Hashable, Sendable {
        case free, stopped
        /// No status has arrived since this time, which is the time of a stop or of the press.
        case unknown(since: Duration)
    }

    private struct Hold {
        let tab: Int
        let user: String?
        let name: String
        /// The random number that identifies the hold in drive commands to the bridge.
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
    /// The time of the last stop, for each robot whose next status may have been sent before that stop.
    private var stopped: [String: Duration] = [:]
    /// The time at which the stick of each robot was last pressed.
    private var pressed: [String: Duration] = [:]
    private var lastTick = 0

    /// - Parameters:
    ///   - maxDelay: The maximum age of the tick in a drive command.
    ///   - random: Returns a new number from 0 to 2⁵³ - 1 at each call, which identifies a hold.
    package init(maxDelay: Duration, random: @escaping () -> Int) {
        self.maxDelay = maxDelay
        self.random = random
    }

    /// Returns the tab that holds a robot's stick, the user's name, and the id that the page gave to the press.
    package func holder(_ device: String) -> (tab: Int, user: String?, hold: String)? {
        holds[device].map { ($0.tab, $0.user, $0.name) }
    }

    /// The names of the robots whose sticks are held.
    package var devices: [String] { holds.keys.sorted() }

    /// The time at which ``advance(to:)`` must be called next.
    package var due: Duration? {
        holds.values.map { min($0.nextTick, $0.lastAccepted + Self.patience) }.min()
    }

    /// Processes a press of the stick.
    ///
    /// - Parameter standing: The state from the newest status; nil if there is none.
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
                    tab: tab, device: device, id: nil, code: "no_stick",
                    message: "too many robots are driven at once"
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

    /// Processes a drive command of the stick.
    ///
    /// - Parameters:
    ///   - echo: The newest value on the bridge's topic `echo`, which shows the bridge that the commands are not
    ///     delayed; nil if there is none.
    ///   - isWritable: Whether the broker connection can send a message immediately.
    package mutating func drive(
        _ drive: ClientMessage.Drive, tab: Int, echo: String?, isWritable: Bool, at now: Duration
    ) -> [Effect] {
        var effects = advance(to: now)
        let device = drive.device
        func refused(_ code: String, _ message: String) -> [Effect] {
            [.refused(tab: tab, device: device, id: drive.id, code: code, message: message)]
        }
        guard var hold = holds[device], hold.tab == tab, hold.name == drive.hold else {
            return effects + refused("no_stick", "the hold has ended: press again")
        }
        guard let sent = hold.ticks.first(where: { $0.number == drive.tick })?.sent, now - sent <= maxDelay
        else {
            return effects + refused("too_late", "the command's tick is older than \(maxDelay)")
        }
        guard isWritable else {
            return effects + refused("no_broker", "the broker connection cannot send the command now")
        }
        hold.lastAccepted = now
        if let id = drive.id { hold.waitingID = id }
        guard Self.mayMove(hold.standing, at: now) else {
            // The hold continues, but the command is not forwarded: a drive command to a stopped robot would restart
            // the quiet period after which the bridge ends the stop.
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

    /// Processes a robot's status. If the robot was stopped by any client, a hold that has moved the robot ends.
    ///
    /// - Parameter blockedBy: The reason why the robot cannot move; nil if it can.
    package mutating func status(_ device: String, blockedBy: String?, at now: Duration) -> [Effect] {
        stopped[device] = nil
        guard var hold = holds[device] else { return [] }
        hold.standing = blockedBy == "stopped" ? .stopped : .free
        holds[device] = hold
        guard hold.standing == .stopped, hold.hasDriven else { return [] }
        return withoutStops(end(device, "stopped", at: now))
    }

    /// Whether a robot's statuses must be passed to ``status(_:blockedBy:at:)``.
    package func needsStatus(_ device: String) -> Bool { holds[device] != nil || stopped[device] != nil }

    /// Whether the stick of a robot was pressed after a given time; of any robot if `device` is nil.
    package func isPressed(_ device: String?, after moment: Duration) -> Bool {
        pressed.contains { $0.value > moment && (device == nil || $0.key == device) }
    }

    /// Processes a release of the stick.
    package mutating func release(_ device: String, hold: String, tab: Int, at now: Duration) -> [Effect] {
        guard let held = holds[device], held.tab == tab, held.name == hold else { return [] }
        return end(device, "released", at: now)
    }

    /// Ends the hold of a robot, or of all robots if `device` is nil, because of a stop. The caller sends the stop.
    package mutating func stop(_ device: String?, at now: Duration) -> [Effect] {
        let devices = device.map { [$0] } ?? self.devices
        for device in devices { stopped[device] = now }
        return withoutStops(devices.flatMap { end($0, "stopped", at: now) })
    }

    private func withoutStops(_ effects: [Effect]) -> [Effect] {
        effects.filter { if case .stop = $0 { false } else { true } }
    }

    /// Ends the holds of a closed page.
    package mutating func leave(tab: Int, at now: Duration) -> [Effect] {
        holds.filter { $0.value.tab == tab }.keys.sorted().flatMap { end($0, "released", at: now) }
    }

    /// Ends all holds of some tabs, because the broker is disconnected or the console exits.
    package mutating func endAll(
        _ reason: String, at now: Duration, where isMeant: (Int) -> Bool = { _ in true }
    )
        -> [Effect]
    {
        holds.filter { isMeant($0.value.tab) }.keys.sorted().flatMap { end($0, reason, at: now) }
    }

    /// Sends the ticks that are due, and ends the holds that have had no valid drive command for ``patience``.
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

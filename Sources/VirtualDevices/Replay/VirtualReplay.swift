import Bluetooth

/// Plays a device as a recording has it.
///
/// A read gives the recorded values by turns, the last one again when all were given. A write is accepted, or refused
/// as it was. A notification is sent when all writes and subscriptions that stand before it on its link have come, and
/// its delay after the last of them has passed, or at once if the client is further already. A further link than the
/// recording has plays the last one again.
struct VirtualReplay: VirtualDevice {
    /// How many writes ahead a write is looked for that comes in another order.
    private static let window = 256
    /// After how long without the client's next step that is told.
    private static let patience = Duration.seconds(10)

    /// Generic Access and Generic Attribute, which every server has of its own.
    static let generic: Set<UUID> = [0x1800, 0x1801]

    let recorded: RecordedDevice
    private var number = -1
    private var subscriptions: Set<CharacteristicID> = []
    /// How often each characteristic was read on this link.
    private var turns: [CharacteristicID: Int] = [:]
    private var values: [CharacteristicID: RecordedDevice.Value] = [:]
    /// The client's steps that have come out of order.
    private var seen: Set<Int> = []
    /// The first step of the link that has neither come nor been played.
    private var position = 0
    /// When the last of the client's steps before that has come, and when it did in the recording.
    private var cause = (time: Duration.zero, recorded: 0)
    /// Whether the end of the link's steps was told.
    private var isOver = false

    init(_ recorded: RecordedDevice) { self.recorded = recorded }

    private var link: RecordedDevice.Link { recorded.links[max(number, 0)] }

    var advertisement: VirtualAdvertisement {
        let link = link
        return VirtualAdvertisement(name: link.advertisedName ?? recorded.name, services: link.services)
    }

    var services: [VirtualService] {
        var services: [VirtualService] = []
        for characteristic in link.characteristics where !Self.generic.contains(characteristic.id.service) {
            if let place = services.firstIndex(where: { $0.uuid == characteristic.id.service }) {
                services[place].characteristics.append(characteristic)
            } else {
                services.append(VirtualService(characteristic.id.service, [characteristic]))
            }
        }
        return services
    }

    mutating func handle(_ stimulus: Stimulus, at now: Duration, reactions: inout [Reaction]) {
        switch stimulus {
        case .poweredOn: reactions.append(.advertise(true))
        case .connected:
            number = min(number + 1, recorded.links.count - 1)
            (subscriptions, turns, seen, position, isOver) = ([], [:], [], 0, false)
            cause = (now, link.begin)
            play(at: now, &reactions)
        case .disconnected:
            reactions += [.cancelTimer("next"), .cancelTimer("patience"), .advertise(true)]
        case .bonded: break
        case .read(let id): reactions.append(read(id))
        case .write(let id, let bytes, _): write(id, bytes, at: now, &reactions)
        case .subscribed(let id, let isWanted):
            if isWanted { subscriptions.insert(id) } else { subscriptions.remove(id) }
            guard isWanted else { return }
            if let place = waiting({ $0 == .subscribe(id) }) { seen.insert(place) }
            play(at: now, &reactions)
        case .timer("patience"): complain(&reactions)
        case .timer: play(at: now, &reactions)
        case .act(let words):
            reactions.append(
                .misunderstood(
                    "'\(words.joined(separator: " "))' is not understood; a replayed device does what its recording "
                        + "says: drop, mute and unmute are understood"))
        }
    }

    private mutating func read(_ id: CharacteristicID) -> Reaction {
        if let turns = link.reads[id] {
            let turn = self.turns[id, default: 0]
            self.turns[id] = turn + 1
            values[id] = turns[min(turn, turns.count - 1)]
        }
        switch values[id] {
        case .bytes(let bytes): return .value(bytes)
        case .refused(let code): return .refused(code)
        case nil: return .refused(ATTError.readNotPermitted)
        }
    }

    private mutating func write(
        _ id: CharacteristicID, _ bytes: [UInt8], at now: Duration, _ reactions: inout [Reaction]
    ) {
        let same = waiting { action in
            if case .write(id, let recorded, _) = action { recorded == bytes } else { false }
        }
        // A value that a clock or a counter goes into differs each time, and one may be left out.
        let alike =
            same
            ?? waiting { action in
                guard case .write(id, let recorded, _) = action else { return false }
                return recorded.map { $0.count == bytes.count } ?? true
            }
        guard let place = alike else {
            let details = ["characteristic": "\(id)", "hex": Hex.string(bytes)]
            return reactions += [.written, .report(.other(event: "unexpected_write", details))]
        }
        seen.insert(place)
        if case .write(_, _, let code?) = link.steps[place].action {
            reactions.append(.refused(code))
        } else {
            reactions.append(.written)
        }
        play(at: now, &reactions)
    }

    /// The first step of the client that has not come and fits.
    private func waiting(_ fits: (RecordedDevice.Action) -> Bool) -> Int? {
        let steps = link.steps
        var left = Self.window
        for place in position..<steps.count where steps[place].isCause && !seen.contains(place) {
            if fits(steps[place].action) { return place }
            left -= 1
            if left == 0 { return nil }
        }
        return nil
    }

    /// Goes on as far as the client has come and time has passed.
    private mutating func play(at now: Duration, _ reactions: inout [Reaction]) {
        let steps = link.steps
        reactions += [.cancelTimer("next"), .cancelTimer("patience")]
        while position < steps.count {
            let step = steps[position]
            if step.isCause {
                guard seen.remove(position) != nil else {
                    return reactions.append(.startTimer("patience", after: Self.patience))
                }
                cause = (now, step.time)
                position += 1
                continue
            }
            let due = cause.time + .milliseconds(max(step.time - cause.recorded, 0))
            // A client that is further already would wait in vain for what comes after it.
            guard due <= now || !seen.isEmpty else {
                return reactions.append(.startTimer("next", after: due - now))
            }
            switch step.action {
            case .notify(let id, let bytes):
                guard subscriptions.contains(id) else {
                    return reactions.append(.startTimer("patience", after: Self.patience))
                }
                values[id] = .bytes(bytes)
                reactions.append(.notify(id, bytes))
            case .drop: reactions.append(.disconnect)
            case .write, .subscribe: break
            }
            position += 1
        }
        guard !isOver else { return }
        isOver = true
        let details = ["link": "\(number + 1)", "of": "\(recorded.links.count)"]
        reactions.append(.report(.other(event: "replayed", details)))
    }

    /// Tells what the client has not done.
    private func complain(_ reactions: inout [Reaction]) {
        guard position < link.steps.count else { return }
        let step = link.steps[position]
        let wanted =
            switch step.action {
            case .write(let id, let bytes, _): "write \(id) \(bytes.map { Hex.string($0) } ?? "")"
            case .subscribe(let id), .notify(let id, _): "subscribe \(id)"
            case .drop: "nothing"
            }
        reactions.append(
            .report(.other(event: "replay_waits", ["for": wanted, "line": "\(step.line)"])))
    }
}

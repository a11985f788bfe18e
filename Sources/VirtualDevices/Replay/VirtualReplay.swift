import Bluetooth

/// Replays a recorded device.
///
/// Reads return the recorded values in order. Further reads return the last value again. Writes are accepted or
/// rejected as in the recording. A notification is sent when all earlier writes and subscriptions of its connection
/// have occurred and the recorded delay has passed. If the client has already performed later steps, the notification
/// is sent immediately. If there are more connections than in the recording, the last connection is repeated.
struct VirtualReplay: VirtualDevice {
    /// How many recorded steps are searched for an operation of the client, because the operations can occur in a
    /// different order than in the recording.
    private static let window = 256
    /// How long the device waits for the client's next recorded step before it reports that the step is missing.
    private static let patience = Duration.seconds(10)

    /// Generic Access and Generic Attribute, which every server provides itself.
    static let generic: Set<UUID> = [0x1800, 0x1801]

    let recorded: RecordedDevice
    private var number = -1
    private var subscriptions: Set<CharacteristicID> = []
    /// The data that the device advertises.
    private var advertised: (services: [UUID: [UInt8]], companies: [UInt16: [UInt8]]) = ([:], [:])
    /// How often each characteristic was read on this connection.
    private var turns: [CharacteristicID: Int] = [:]
    private var values: [CharacteristicID: RecordedDevice.Value] = [:]
    /// The positions of client steps that the client has already performed, earlier than in the recording.
    private var seen: Set<Int> = []
    /// The position of the first step of the connection that was neither performed by the client nor played.
    private var position = 0
    /// When the client performed its last step before `position`, now and in the recording.
    private var cause = (time: Duration.zero, recorded: 0)
    /// Whether the end of the connection's steps was reported.
    private var isOver = false

    init(_ recorded: RecordedDevice) { self.recorded = recorded }

    private var link: RecordedDevice.Link { recorded.links[max(number, 0)] }

    var advertisement: VirtualAdvertisement {
        let link = link
        return VirtualAdvertisement(
            name: link.advertisedName ?? recorded.name, services: link.services,
            manufacturerData: advertised.companies, serviceData: advertised.services)
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
        case .poweredOn:
            reactions.append(.advertise(true))
            // A device that only advertises has no characteristics and is never connected.
            guard link.characteristics.isEmpty else { return }
            (number, cause) = (0, (now, link.begin))
            play(at: now, &reactions)
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
                    "'\(words.joined(separator: " "))' is not understood; a replayed device follows its "
                        + "recording and accepts: drop, mute and unmute"))
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
        // A recorded write with other bytes of the same length matches too: values can depend on a clock or a counter,
        // and the recording may omit values.
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

    /// The first step of the client that has not occurred and satisfies `fits`.
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

    /// Plays all steps of the device that are due.
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
            // If the client has already performed later steps, the device plays its step immediately, because the
            // client waits for the device's later steps.
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
            case .advertise(let services, let companies):
                advertised.services.merge(services) { $1 }
                advertised.companies.merge(companies) { $1 }
                reactions.append(.advertise(true))
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

    /// Reports the step that the client has not performed.
    private func complain(_ reactions: inout [Reaction]) {
        guard position < link.steps.count else { return }
        let step = link.steps[position]
        let wanted =
            switch step.action {
            case .write(let id, let bytes, _): "write \(id) \(bytes.map { Hex.string($0) } ?? "")"
            case .subscribe(let id), .notify(let id, _): "subscribe \(id)"
            case .advertise, .drop: "nothing"
            }
        reactions.append(
            .report(.other(event: "replay_waits", ["for": wanted, "line": "\(step.line)"])))
    }
}

import Bluetooth
import DeviceKit
import JSON

extension BeltMachine {
    /// Takes a command: carries it out in its turn, or refuses it.
    mutating func take(_ request: Request, _ effects: inout Effects) {
        let isNavigation = request.feature == "navigation"
        guard phase == .online else {
            if isNavigation { return keep(request, &effects) }
            return refuse(request.id, .deviceOffline, "the belt is not connected", &effects)
        }
        if request.feature == "stop" { return stop(request, &effects) }
        if request.feature == Feature.hapticName, request.arguments.text("pattern") == "stop" {
            for older in queue.remove(where: { $0.feature == Feature.hapticName }) {
                effects.answer(older.id, .superseded)
            }
            return run(now: request, &effects)
        }
        if isNavigation {
            if changesAwaitedTarget(request) { return run(now: request, &effects) }
            if let older = queue.coalesce(request) { effects.answer(older, .superseded) }
        } else if queue.isFull {
            refuse(request.id, .busy, "\(CommandQueue.limit) commands wait already", &effects)
        } else {
            queue.append(request)
        }
    }

    /// Carries out what waits, until something has to be confirmed.
    mutating func runQueue(_ effects: inout Effects) {
        while phase == .online, confirmation == nil, let request = queue.next() {
            run(now: request, &effects)
        }
    }

    private mutating func run(now request: Request, _ effects: inout Effects) {
        do throws(CommandError) {
            try run(request, &effects)
        } catch {
            effects.answer(request.id, .failed(error))
        }
    }

    private mutating func run(_ request: Request, _ effects: inout Effects) throws(CommandError) {
        let (id, arguments) = (request.id, request.arguments)
        switch request.feature {
        case "navigation": try navigate(id, arguments, &effects)
        case "mode": try setMode(id, arguments, &effects)
        case "vibrate":
            try vibrate(arguments.vibration(firmware), id, arguments, &effects)
        case "pulse":
            try require(45, for: "pulse")
            try vibrate(.pulse(arguments.pulse(firmware)), id, arguments, &effects)
        case Feature.hapticName: try playHaptic(id, arguments, &effects)
        case "notify": try notify(id, arguments, &effects)
        case "signal":
            guard let signal = SystemSignal(name: try arguments.word("signal")) else { throw .unreadable }
            send(.system(signal), for: id, &effects)
        case "sound": try play(id, arguments, &effects)
        case "intensity": try setIntensity(id, arguments, &effects)
        case "heading_offset": try setHeadingOffset(id, arguments, &effects)
        case "accuracy_signal": try setAccuracySignal(id, arguments, &effects)
        case "pairing_required": try setPairingRequired(id, arguments, &effects)
        case "orientation": try setOrientation(id, arguments, &effects)
        case "device_name": try rename(id, arguments, &effects)
        case "reset": try reset(id, arguments, &effects)
        default: throw CommandError(.unknownFeature, "a belt takes no \(request.feature)")
        }
    }

    func refuse(
        _ id: CommandID, _ code: CommandError.Code, _ message: String, _ effects: inout Effects
    ) {
        effects.answer(id, .failed(code, message))
    }

    /// Refuses what this firmware lacks. Versions that are not known are those of very old belts.
    func require(_ version: UInt16, for what: String) throws(CommandError) {
        let present = firmware?.version ?? 0
        guard present >= version else {
            throw CommandError(
                .notSupported, "\(what) needs firmware \(version) or newer; this belt has \(present)")
        }
    }

    mutating func written(
        _ token: WriteToken, _ characteristic: CharacteristicID, _ result: Result<Void, OperationError>,
        _ effects: inout Effects
    ) {
        let purpose = writes.removeValue(forKey: token)
        let isDone = if case .success = result { true } else { false }
        vibrations.completed(token, isDone: isDone, in: mode, at: now)
        switch purpose {
        case nil, .vibration(nil), .silence(nil, _):
            if case .failure(let error) = result {
                effects.remark(.debug, "a write to \(characteristic) failed: \(error)")
            }
        case .command(let id), .vibration(let id?): effects.answer(id, Answer(result))
        case .silence(let id?, let isCertain):
            let isObeyed = isCertain && mode?.obeysStops == true
            effects.answer(id, isDone && !isObeyed ? .unconfirmed : Answer(result))
        case .haptic(let id, let degraded):
            if case .failure(let error) = result {
                effects.answer(id, .failed(CommandError(error)))
                endHaptic(&effects)
            } else {
                effects.answer(id, HapticPlayer.answer(degraded))
            }
        case .signal(let id):
            if let id { effects.answer(id, Answer(result)) }
            advanceSignal(throttle.completed(at: now), &effects)
        case .confirmed: requestWritten(result, &effects)
        case .ask: stepAsked(result, &effects)
        case .lastWord:
            effects.cancelTimer(Self.closeTimer)
            effects.append(.disconnect)
        }
    }

    mutating func subscribed(
        _ characteristic: CharacteristicID, _ result: Result<Void, OperationError>, _ effects: inout Effects
    ) {
        guard phase == .online else { return stepSubscribed(characteristic, result, &effects) }
        guard characteristic == GATT.orientation else { return }
        if case .success = result { orientation.isSubscribed = true }
        guard let id = orientation.command else { return }
        orientation.command = nil
        effects.answer(id, Answer(result))
    }

    mutating func read(
        _ characteristic: CharacteristicID, _ result: Result<[UInt8], OperationError>,
        _ effects: inout Effects
    ) {
        if phase == .handshake { stepRead(characteristic, result, &effects) }
    }
}

extension Answer {
    /// What a write's completion means for the command behind it.
    init(_ result: Result<Void, OperationError>) {
        switch result {
        case .success: self = .ok
        case .failure(let error): self = .failed(CommandError(error))
        }
    }
}

extension CommandError {
    /// The arguments are not as they were declared, which cannot come from a user.
    static let unreadable = CommandError(.internal, "the arguments do not fit their declaration")
}

extension Arguments {
    /// A word that has been checked to be there.
    func word(_ key: String) throws(CommandError) -> String {
        guard let word = text(key) else { throw .unreadable }
        return word
    }

    /// A whole number that has been checked to be there and in range.
    func whole<Number: FixedWidthInteger>(_ key: String, _ type: Number.Type) throws(CommandError) -> Number {
        guard let number = integer(key), let exact = Number(exactly: number) else { throw .unreadable }
        return exact
    }
}

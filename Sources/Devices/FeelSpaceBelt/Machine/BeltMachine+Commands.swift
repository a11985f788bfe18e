import Bluetooth
import DeviceKit

extension BeltMachine {
    /// Carries out or queues a command, or refuses it.
    mutating func take(_ request: BeltRequest, _ effects: inout Effects) {
        let isNavigation = request.feature == BeltFamily.navigation.name
        do throws(CommandError) {
            guard phase == .online else {
                if isNavigation { return keep(request, &effects) }
                throw .notConnected("belt")
            }
            if case BeltFamily.stop = request.feature { return try stop(request, &effects) }
            if request.feature == Feature.hapticName, request.arguments.endsHaptic {
                for older in queue.remove(where: { $0.feature == Feature.hapticName }) {
                    effects.answer(older.id, .superseded)
                }
                return run(now: request, &effects)
            }
            if isNavigation {
                if changesAwaitedTarget(request) { return run(now: request, &effects) }
                for older in queue.coalesce(request) { effects.answer(older, .superseded) }
            } else {
                try queue.requireRoom()
                queue.append(request)
            }
        } catch {
            effects.answer(request.id, .failed(error))
        }
    }

    /// Carries out queued commands, until one of them must wait for a confirmation of the belt.
    mutating func runQueue(_ effects: inout Effects) {
        while phase == .online, change == nil, let request = queue.next() {
            run(now: request, &effects)
        }
    }

    private mutating func run(now request: BeltRequest, _ effects: inout Effects) {
        do throws(CommandError) {
            try run(request, &effects)
        } catch {
            effects.answer(request.id, .failed(error))
        }
    }

    private mutating func run(_ request: BeltRequest, _ effects: inout Effects) throws(CommandError) {
        typealias Belt = BeltFamily
        let (id, arguments) = (request.id, request.arguments)
        try requireAllowed(request)
        switch request.feature {
        case Belt.navigation: try navigate(id, Belt.navigation.parse(arguments), &effects)
        case Belt.mode: try setMode(id, Belt.mode.parse(arguments), &effects)
        case Belt.vibrate:
            let asked = try Belt.vibrate.parse(arguments)
            try vibrate(asked.command(firmware), id, asked.channel, &effects)
        case Belt.pulse:
            try require(45, for: Belt.pulse.name)
            let asked = try Belt.pulse.parse(arguments)
            try vibrate(.pulse(asked.configuration(firmware)), id, asked.channel, &effects)
        case Feature.hapticName: try playHaptic(id, arguments, &effects)
        case Belt.notify: try notify(id, Belt.notify.parse(arguments), &effects)
        case Belt.signal:
            write(.system(try Belt.signal.parse(arguments).value), for: .vibration(id), &effects)
        case Belt.sound: try play(id, Belt.sound.parse(arguments), &effects)
        case Belt.intensity: try setIntensity(id, Belt.intensity.parse(arguments), &effects)
        case Belt.headingOffset: try setHeadingOffset(id, Belt.headingOffset.parse(arguments), &effects)
        case Belt.accuracySignal: try setAccuracySignal(id, Belt.accuracySignal.parse(arguments), &effects)
        case Belt.pairingRequired:
            try setPairingRequired(id, Belt.pairingRequired.parse(arguments), &effects)
        case Belt.orientation: try setOrientation(id, Belt.orientation.parse(arguments), &effects)
        case Belt.deviceName: rename(id, try Belt.deviceName.parse(arguments).value, &effects)
        case Belt.reset: try reset(id, Belt.reset.parse(arguments), &effects)
        case Belt.errorLog: try readErrorLog(id, &effects)
        case Belt.calibration: setCalibration(id, try Belt.calibration.parse(arguments), &effects)
        case Belt.rawValues: try setRawValues(id, Belt.rawValues.parse(arguments).value, &effects)
        case Belt.gatt: try access(id, Belt.gatt.parse(arguments), &effects)
        default: throw CommandError(.unknownFeature, "a belt has no command \(request.feature)")
        }
    }

    /// Throws an error if the firmware is too old. Very old belts report no version.
    func require(_ version: UInt16, for what: String) throws(CommandError) {
        let present = firmware?.version ?? 0
        guard present >= version else {
            throw CommandError(
                .notSupported, "\(what) needs firmware \(version) or newer; this belt has \(present)")
        }
    }

    mutating func written(
        _ token: WriteToken, _ characteristic: CharacteristicID, _ result: WriteResult,
        _ effects: inout Effects
    ) {
        if token == Handshake<BeltParameter>.token {
            return go(on: handshake.written(token, result, &effects), &effects)
        }
        let purpose = writes.complete(token)
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
        case .haptic(let id, let answer):
            if case .failure(let error) = result {
                effects.answer(id, .failed(CommandError(error)))
                endHaptic(&effects)
            } else {
                effects.answer(id, answer)
            }
        case .signal(let id):
            if let id { effects.answer(id, Answer(result)) }
            advanceSignal(throttle.completed(at: now), &effects)
        case .errorLog(let id): errorLogRequested(id, result, &effects)
        case .rawValues: rawValuesRequested(result, &effects)
        case .gatt(let id, let bytes): rawWritten(id, bytes, result, &effects)
        case .confirmed: requestWritten(result, &effects)
        case .lastWord: Self.closing.finish(&effects)
        }
    }

    mutating func subscribed(
        _ characteristic: CharacteristicID, _ result: WriteResult, _ effects: inout Effects
    ) {
        guard phase == .online else { return stepSubscribed(characteristic, result, &effects) }
        if characteristic == BeltGATT.sensorData { rawValuesSubscribed(result, &effects) }
        guard characteristic == BeltGATT.orientation else { return }
        if case .success = result { orientation.isSubscribed = true }
        guard let id = orientation.command else { return }
        orientation.command = nil
        effects.answer(id, Answer(result))
    }

    mutating func read(_ characteristic: CharacteristicID, _ result: ReadResult, _ effects: inout Effects) {
        if phase == .handshake {
            stepRead(characteristic, result, &effects)
        } else {
            rawRead(characteristic, result, &effects)
        }
    }
}

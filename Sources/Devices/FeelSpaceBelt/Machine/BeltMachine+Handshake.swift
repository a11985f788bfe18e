import Bluetooth
import DeviceKit

extension BeltMachine {
    static let pairingAdvice = "hold the home button for 5 seconds: the belt must be in pairing mode"

    mutating func connected(_ profile: LinkProfile, _ effects: inout Effects) {
        leave(&effects)
        self.profile = profile
        if let missing = GATT.required.first(where: { !profile.has($0) }) {
            return fail(.notThisFamily, "characteristic \(missing) of a belt is not there", &effects)
        }
        phase = .handshake
        orientation.begin()
        handshake = Handshake(debug: profile.has(GATT.debugOutput), orientation: orientation.isEnabled)
        effects.startTimer(Self.handshakeTimer, after: Handshake.time)
        beginStep(&effects)
    }

    /// Begins the step that is next, or the belt's use when none is left.
    private mutating func beginStep(_ effects: inout Effects) {
        switch handshake.current {
        case .subscribe(let characteristic): effects.subscribe(characteristic)
        case .read(let characteristic): effects.read(characteristic)
        case .ask(let parameter):
            write(GATT.parameterRequest, ParameterRequest.read(parameter).bytes, for: .ask, &effects)
        case nil: becomeReady(&effects)
        }
    }

    private mutating func advance(_ effects: inout Effects) {
        effects.cancelTimer(Self.answerTimer)
        handshake.advance()
        beginStep(&effects)
    }

    /// Judges a step that failed: the belt wants to be paired, the step does not matter, or it does.
    private mutating func stepFailed(_ error: OperationError, _ effects: inout Effects) {
        guard let step = handshake.current else { return }
        if error.code == .notPermitted {
            fail(
                .pairingRequired, "the belt refuses clients that are not paired with it",
                advice: Self.pairingAdvice, &effects)
        } else if Handshake.isOptional(step) {
            effects.remark(.info, "\(step) failed and is left out: \(error)")
            advance(&effects)
        } else {
            fail(.handshake, "\(step) failed: \(error)", &effects)
        }
    }

    mutating func stepSubscribed(
        _ characteristic: CharacteristicID, _ result: Result<Void, OperationError>, _ effects: inout Effects
    ) {
        if characteristic == GATT.orientation, case .success = result { orientation.isSubscribed = true }
        guard handshake.current == .subscribe(characteristic) else { return }
        switch result {
        case .success: advance(&effects)
        case .failure(let error): stepFailed(error, &effects)
        }
    }

    mutating func stepRead(
        _ characteristic: CharacteristicID, _ result: Result<[UInt8], OperationError>,
        _ effects: inout Effects
    ) {
        guard handshake.current == .read(characteristic) else { return }
        switch result {
        case .failure(let error): return stepFailed(error, &effects)
        case .success(let bytes) where characteristic == GATT.firmware:
            guard let information = FirmwareInformation(bytes) else {
                return fail(.handshake, "the firmware information has \(bytes.count) bytes", &effects)
            }
            firmware = information
            effects.append(
                .identify(
                    DeviceInfo(
                        manufacturer: "feelSpace", model: "naviBelt",
                        hardware: information.variant.map { "variant \($0)" },
                        firmware: String(information.version))))
            if information.needsFrontRangePatch { handshake.insert(.ask(.frontRange)) }
        case .success(let bytes): publishBattery(bytes, &effects)
        }
        advance(&effects)
    }

    mutating func stepAsked(_ result: Result<Void, OperationError>, _ effects: inout Effects) {
        guard case .ask = handshake.current else { return }
        switch result {
        case .success: effects.startTimer(Self.answerTimer, after: Handshake.answerTime)
        case .failure(let error): stepFailed(error, &effects)
        }
    }

    mutating func stepAnswered(_ parameter: Parameter, _ effects: inout Effects) {
        if handshake.waits(for: parameter) { advance(&effects) }
    }

    mutating func answerIsLate(_ effects: inout Effects) {
        guard phase == .handshake, case .ask(let parameter) = handshake.current else { return }
        // Every keep-alive tells the mode as well (FSLib-iOS takes it from there).
        if parameter == .mode, mode != nil { return advance(&effects) }
        stepFailed(OperationError(.timeout, "no answer in 1 s"), &effects)
    }

    mutating func handshakeIsLate(_ effects: inout Effects) {
        guard phase == .handshake else { return }
        fail(.handshake, "the belt was not ready within 20 s", &effects)
    }

    private mutating func becomeReady(_ effects: inout Effects) {
        effects.cancelTimer(Self.handshakeTimer)
        phase = .online
        effects.append(.ready)
        effects.publish(Feature.hapticName, hapticReport(nil))
        effects.write(GATT.parameterRequest, ParameterRequest.read(.pairingRequired).bytes)
        restoreOrientationPeriod(&effects)
        perform(navigation.handle(.linkReady, mode: mode), &effects)
    }

    /// Closes the link because the belt cannot be used over it.
    mutating func fail(
        _ code: DeviceFailure.Code, _ reason: String, advice: String? = nil, _ effects: inout Effects
    ) {
        leave(&effects)
        phase = .closing
        effects.append(.fail(DeviceFailure(code, reason, advice: advice)))
    }
}

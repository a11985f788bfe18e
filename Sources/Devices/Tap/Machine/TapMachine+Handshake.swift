import Bluetooth
import DeviceKit

extension TapMachine {
    mutating func connected(_ profile: LinkProfile, _ effects: inout Effects) {
        leave(&effects)
        forgetLink()
        self.profile = profile
        if let missing = GATT.required.first(where: { !profile.has($0) }) {
            return fail(.notThisFamily, "characteristic \(missing) of a TAP is not there", &effects)
        }
        phase = .handshake
        info = DeviceInfo()
        versions = Versions(looksLikeXR: profile.has(GATT.visionModel))
        handshake = Handshake(profile)
        effects.startTimer(Self.handshakeTimer, after: Handshake.time)
        beginStep(&effects)
    }

    /// Begins the step that is next, or the TAP's use when none is left.
    private mutating func beginStep(_ effects: inout Effects) {
        switch handshake.current {
        case .read(let characteristic): effects.read(characteristic)
        case .subscribe(let characteristic): effects.subscribe(characteristic)
        case nil: becomeReady(&effects)
        }
    }

    private mutating func advance(_ effects: inout Effects) {
        handshake.advance()
        beginStep(&effects)
    }

    /// Judges a step that failed: the TAP wants a bond, the step does not matter, or it does.
    private mutating func stepFailed(_ error: OperationError, _ effects: inout Effects) {
        guard let step = handshake.current else { return }
        let wantsBond = error.code == .notPermitted
        if wantsBond, !profile.isPaired || !Handshake.isOptional(step) {
            fail(
                .pairingRequired, "the TAP refuses clients that are not bonded with it", &effects)
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
        guard phase == .handshake, handshake.current == .subscribe(characteristic) else { return }
        switch result {
        case .success: advance(&effects)
        case .failure(let error): stepFailed(error, &effects)
        }
    }

    /// Takes a value that the handshake asked for; false if it did not.
    mutating func stepRead(
        _ characteristic: CharacteristicID, _ result: Result<[UInt8], OperationError>,
        _ effects: inout Effects
    ) -> Bool {
        guard phase == .handshake, handshake.current == .read(characteristic) else { return false }
        switch result {
        case .success(let bytes):
            learn(characteristic, bytes, &effects)
            advance(&effects)
        case .failure(let error): stepFailed(error, &effects)
        }
        return true
    }

    private mutating func becomeReady(_ effects: inout Effects) {
        effects.cancelTimer(Self.handshakeTimer)
        info.model = versions.model
        effects.append(.identify(info))
        phase = .online
        effects.append(.ready)
        effects.publish(Feature.hapticName, hapticReport(nil))
        if profile.has(GATT.air) {
            effects.write(GATT.air, AirReport.stateRequest, airKind)
        }
        beginModes(&effects)
        effects.startTimer(Self.batteryTimer, after: Self.batteryPeriod)
    }

    /// The state request is written without response (tap-android-sdk), unless the TAP takes only the other kind.
    private var airKind: Write.Kind {
        let properties = profile.characteristics[GATT.air] ?? []
        return properties.contains(.write) && !properties.contains(.writeWithoutResponse)
            ? .withResponse : .withoutResponse
    }

    mutating func handshakeIsLate(_ effects: inout Effects) {
        guard phase == .handshake else { return }
        fail(.handshake, "the TAP was not ready within 20 s", &effects)
    }

    /// Closes the link because the TAP cannot be used over it.
    mutating func fail(_ code: DeviceFailure.Code, _ reason: String, _ effects: inout Effects) {
        leave(&effects)
        phase = .closing
        effects.append(.fail(DeviceFailure(code, reason)))
    }
}

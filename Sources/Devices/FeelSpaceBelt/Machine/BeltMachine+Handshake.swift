import Bluetooth
import DeviceKit

extension BeltMachine {
    static let pairingAdvice = "hold the home button for 5 seconds: the belt must be in pairing mode"

    /// How long the belt can take for one answer (as in pybelt).
    static let answerTime = Duration.seconds(1)
    /// The time limit for the whole handshake (`FSConnectionManager`).
    static let handshakeTime = Duration.seconds(20)

    private static let wording = Handshake<BeltParameter>.Wording(
        device: "belt",
        unbonded: DeviceFailure(
            .pairingRequired, "the belt refuses clients that are not paired with it", advice: pairingAdvice))

    /// The handshake before the first link, which has no steps.
    static let noHandshake = Handshake<BeltParameter>(wording: wording)

    mutating func connected(_ profile: LinkProfile, _ effects: inout Effects) {
        leave(&effects)
        self.profile = profile
        if let missing = profile.missing(of: BeltGATT.required) {
            return fail(
                DeviceFailure(.notThisFamily, "characteristic \(missing) of a belt is missing"), &effects)
        }
        phase = .handshake
        orientation.begin()
        // A proxy may have kept an earlier link, and with it what the belt was doing.
        if profile.isOverProxy { silence(nil, for: nil, &effects) }
        handshake = Handshake(
            steps, within: Self.handshakeTime, answerTime: Self.answerTime, wording: Self.wording)
        go(on: handshake.begin(&effects), &effects)
    }

    /// The steps of the handshake, in an order that works with every belt that the known libraries support.
    /// Keep-alives come first, so that they are answered from the start.
    private var steps: [Handshake<BeltParameter>.Step] {
        let subscriptions = [
            BeltGATT.keepAlive, BeltGATT.parameterNotification, BeltGATT.button, BeltGATT.battery,
        ]
        var steps = subscriptions.map { Handshake<BeltParameter>.Step(.subscribe($0)) }
        if profile.has(BeltGATT.debugOutput) {
            steps.append(.init(.subscribe(BeltGATT.debugOutput), isOptional: true))
        }
        steps += [.init(.read(BeltGATT.firmware)), .init(.read(BeltGATT.battery), isOptional: true)]
        steps += [
            Self.ask(.mode), Self.ask(.intensity, .extendedIntensity),
            Self.ask(.headingOffset, .extendedHeadingOffset, isOptional: true),
            Self.ask(.accuracySignal, isOptional: true),
        ]
        if orientation.isEnabled { steps.append(.init(.subscribe(BeltGATT.orientation))) }
        return steps
    }

    /// Returns a step that requests a parameter and waits until the belt notifies this parameter or one of `others`.
    private static func ask(
        _ parameter: BeltParameter, _ others: BeltParameter..., isOptional: Bool = false
    ) -> Handshake<BeltParameter>.Step {
        let request = BeltParameterRequest.read(parameter).bytes
        return .init(
            .ask(BeltGATT.parameterRequest, request, Set([parameter] + others)), isOptional: isOptional)
    }

    /// Continues after a step of the handshake: with the next step, the end, or a failure.
    mutating func go(on progress: Handshake<BeltParameter>.Progress, _ effects: inout Effects) {
        switch progress {
        case .unrelated, .waiting: break
        case .done: becomeReady(&effects)
        case .failed(let failure): fail(failure, &effects)
        }
    }

    mutating func stepSubscribed(
        _ characteristic: CharacteristicID, _ result: WriteResult, _ effects: inout Effects
    ) {
        if characteristic == BeltGATT.orientation, case .success = result { orientation.isSubscribed = true }
        go(on: handshake.subscribed(characteristic, result, &effects), &effects)
    }

    mutating func stepRead(
        _ characteristic: CharacteristicID, _ result: ReadResult,
        _ effects: inout Effects
    ) {
        if handshake.awaitsRead(of: characteristic), case .success(let bytes) = result {
            if characteristic != BeltGATT.firmware {
                publishBattery(bytes, &effects)
            } else if let information = BeltFirmwareInformation(bytes) {
                learn(information, &effects)
            } else {
                let words = "the firmware information has \(bytes.count) bytes, expected at least 2"
                return fail(DeviceFailure(.handshake, words), &effects)
            }
        }
        go(on: handshake.read(characteristic, result, &effects), &effects)
    }

    private mutating func learn(_ information: BeltFirmwareInformation, _ effects: inout Effects) {
        firmware = information
        effects.append(
            .identify(
                DeviceInfo(
                    manufacturer: "feelSpace", model: "naviBelt",
                    hardware: information.variant.map { "variant \($0)" },
                    firmware: String(information.version))))
        if information.needsFrontRangePatch { handshake.insert(Self.ask(.frontRange, isOptional: true)) }
    }

    mutating func stepAnswered(_ parameter: BeltParameter, _ effects: inout Effects) {
        go(on: handshake.heard(parameter, &effects), &effects)
    }

    mutating func answerIsLate(_ effects: inout Effects) {
        // A missing answer about the mode is not a failure if a keep-alive has reported the mode: every keep-alive
        // contains it, and FSLib-iOS reads it there.
        var isMode = false
        if case .ask(_, _, [.mode])? = handshake.current?.action { isMode = true }
        go(on: handshake.answerIsLate(isKnown: isMode && mode != nil, &effects), &effects)
    }

    private mutating func becomeReady(_ effects: inout Effects) {
        phase = .online
        effects.append(.ready)
        effects.publish(playing: nil)
        vibrationReport.said = nil
        effects.write(BeltGATT.parameterRequest, BeltParameterRequest.read(.pairingRequired).bytes)
        restoreOrientationPeriod(&effects)
        resumeDiagnosis(&effects)
        perform(navigation.handle(.linkReady, mode: mode), &effects)
    }

    /// Closes the link because the belt cannot be used over this link.
    mutating func fail(_ failure: DeviceFailure, _ effects: inout Effects) {
        leave(&effects)
        phase = .closing
        effects.append(.fail(failure))
    }
}

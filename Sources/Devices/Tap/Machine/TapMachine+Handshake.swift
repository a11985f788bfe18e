import Bluetooth
import DeviceKit

extension TapMachine {
    /// The time limit for the whole handshake.
    private static let handshakeTime = Duration.seconds(20)

    private static let wording = Handshake<Never>.Wording(
        device: "TAP",
        unbonded: DeviceFailure(.pairingRequired, "the TAP refuses clients that are not bonded with it"))

    mutating func connected(_ profile: LinkProfile, _ effects: inout Effects) {
        leave(&effects)
        forgetLink()
        self.profile = profile
        if !isFramed, let missing = profile.missing(of: TapGATT.required) {
            return fail(
                DeviceFailure(.notThisFamily, "characteristic \(missing) of a TAP is missing"), &effects)
        }
        phase = .handshake
        info = DeviceInfo()
        versions = TapVersions(looksLikeXR: profile.has(TapGATT.visionModel))
        handshake = Self.handshake(profile)
        go(on: handshake.begin(&effects), &effects)
    }

    /// The handshake before the first link, which has no steps.
    static let noHandshake = Handshake<Never>(wording: wording)

    /// Returns the steps for the characteristics of this TAP: reads of its identity and battery, then subscriptions,
    /// taps first.
    private static func handshake(_ profile: LinkProfile) -> Handshake<Never> {
        let read = [
            TapGATT.hardware, TapGATT.firmware, TapGATT.serial, TapGATT.manufacturer, TapGATT.deviceName,
            TapGATT.battery, TapGATT.bootloader, TapGATT.visionModel, TapGATT.secondFirmware,
        ].filter(profile.canRead)
        let isFramed = isFramed(profile)
        let main = isFramed ? TapGATT.frames : TapGATT.taps
        let others = isFramed ? [] : [TapGATT.mouse, TapGATT.air, TapGATT.raw]
        let notified = [main] + (others + [TapGATT.battery]).filter(profile.canNotify)
        return Handshake(
            read.map { .init(.read($0), isOptional: true) }
                + notified.map { .init(.subscribe($0), isOptional: $0 != main) },
            within: handshakeTime, wording: wording, isBonded: profile.isPaired)
    }

    /// Continues after a step of the handshake: with the next step, the end, or a failure.
    mutating func go(on progress: Handshake<Never>.Progress, _ effects: inout Effects) {
        switch progress {
        case .unrelated, .waiting: break
        case .done: becomeReady(&effects)
        case .failed(let failure): fail(failure, &effects)
        }
    }

    private mutating func becomeReady(_ effects: inout Effects) {
        info.model = versions.model
        effects.append(.identify(info))
        effects.append(.lack(lacking))
        phase = .online
        effects.append(.ready)
        effects.publish(playing: nil)
        Self.charge.arm(&effects)
        if isFramed { return beginFrames(&effects) }
        if profile.has(TapGATT.air) {
            effects.write(TapGATT.air, TapAirReport.stateRequest, airKind)
        }
        beginModes(&effects)
    }

    /// How the bridge writes the request for the air-mouse state: without response (tap-android-sdk), unless the TAP
    /// only supports writes with response.
    private var airKind: Write.Kind {
        let properties = profile.characteristics[TapGATT.air] ?? []
        return properties.contains(.write) && !properties.contains(.writeWithoutResponse)
            ? .withResponse : .withoutResponse
    }

    /// Closes the link because the TAP cannot be used over this link.
    mutating func fail(_ failure: DeviceFailure, _ effects: inout Effects) {
        leave(&effects)
        phase = .closing
        effects.append(.fail(failure))
    }

    /// Closes the link because the TAP requires a bond.
    mutating func failUnbonded(_ effects: inout Effects) { fail(Self.wording.unbonded, &effects) }
}

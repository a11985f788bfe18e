import Bluetooth
import DeviceKit
import JSON

extension BeltMachine {
    mutating func setMode(
        _ id: CommandID, _ asked: BeltFamily.ModeCommand, _ effects: inout Effects
    ) throws(CommandError) {
        let wanted = asked.mode
        if wanted == .crossing { try require(45, for: "mode crossing") }
        if wanted == .app { appMode.isWanted = true }
        request(.setMode(wanted), until: .mode(wanted), for: id, &effects)
    }

    mutating func setIntensity(
        _ id: CommandID, _ asked: BeltFamily.IntensityCommand, _ effects: inout Effects
    ) throws(CommandError) {
        if asked.hasFeedback { vibrations.signalled(at: now) }
        request(
            .setIntensity(asked.intensity, feedback: asked.hasFeedback),
            until: .parameter(
                [.intensity, .extendedIntensity], BeltFamily.intensity.report(asked.intensity)),
            for: id, &effects)
    }

    /// Sets the heading offset. Older firmware, which has no choice between temporary and permanent storage, receives
    /// the basic request.
    mutating func setHeadingOffset(
        _ id: CommandID, _ asked: BeltFamily.Change<UInt16>, _ effects: inout Effects
    ) throws(CommandError) {
        try requirePersistence(asked)
        let isOld = (firmware?.version ?? 0) < Self.firstWithPersistence
        request(
            isOld
                ? .setBasicHeadingOffset(asked.value)
                : .setHeadingOffset(asked.value, persist: asked.persists),
            until: .parameter(
                [.headingOffset, .extendedHeadingOffset], BeltFamily.headingOffset.report(asked.value)),
            for: id, &effects)
    }

    mutating func setAccuracySignal(
        _ id: CommandID, _ asked: BeltFamily.Change<BeltAccuracySignal>, _ effects: inout Effects
    ) throws(CommandError) {
        try requirePersistence(asked)
        request(
            .setAccuracySignal(asked.value, persist: asked.persists),
            until: .parameter([.accuracySignal], BeltFamily.accuracySignal.report(asked.value)), for: id,
            &effects)
    }

    mutating func setPairingRequired(
        _ id: CommandID, _ asked: BeltFamily.Change<Bool>, _ effects: inout Effects
    ) throws(CommandError) {
        try requirePersistence(asked)
        request(
            .setPairingRequired(asked.value, persist: asked.persists),
            until: .parameter([.pairingRequired], BeltFamily.pairingRequired.report(asked.value)), for: id,
            &effects)
    }

    private static let firstWithPersistence: UInt16 = 41

    private func requirePersistence<Value>(_ asked: BeltFamily.Change<Value>) throws(CommandError) {
        if asked.persists { try require(Self.firstWithPersistence, for: "persist") }
    }

    mutating func rename(_ id: CommandID, _ name: String, _ effects: inout Effects) {
        write(
            BeltGATT.parameterRequest, BeltParameterRequest.rename(Array(name.utf8)).bytes, for: .command(id),
            &effects)
    }

    mutating func reset(
        _ id: CommandID, _ asked: BeltFamily.ResetCommand, _ effects: inout Effects
    ) throws(CommandError) {
        try require(43, for: BeltFamily.reset.name)
        let parameters = asked.parameters ?? !(asked.bluetooth || asked.sensors)
        let request = BeltParameterRequest.reset(
            parameters: parameters, bluetooth: asked.bluetooth, sensors: asked.sensors)
        write(BeltGATT.parameterRequest, request.bytes, for: .command(id), &effects)
        // The belt does not notify its parameters after a reset, so the bridge reads them.
        guard parameters else { return }
        for parameter in [BeltParameter.intensity, .headingOffset, .accuracySignal, .pairingRequired] {
            effects.write(BeltGATT.parameterRequest, BeltParameterRequest.read(parameter).bytes)
        }
    }

    mutating func play(
        _ id: CommandID, _ asked: BeltFamily.SoundCommand, _ effects: inout Effects
    ) throws(CommandError) {
        try require(45, for: BeltFamily.sound.name)
        guard profile.has(BeltGATT.sound) else {
            throw CommandError(.notSupported, "this belt has no buzzer command")
        }
        let steps = asked.steps?.map { BeltTone.Step(hertz: $0.hertz, milliseconds: $0.milliseconds) }
        guard let tone = asked.sound ?? steps.map(BeltTone.init) else { throw .unreadable }
        write(BeltGATT.sound, tone.bytes, for: .command(id), &effects)
    }
}

import Bluetooth
import DeviceKit
import JSON

extension BeltMachine {
    mutating func setMode(
        _ id: CommandID, _ arguments: Arguments, _ effects: inout Effects
    ) throws(CommandError) {
        guard let wanted = Mode(name: try arguments.word("mode")) else { throw .unreadable }
        if wanted == .calibration || wanted == .standby, !arguments.flag("confirm") {
            throw CommandError(
                .missingField,
                "confirm: mode \(wanted.name) needs {\"mode\":\"\(wanted.name)\",\"confirm\":true}")
        }
        if wanted == .crossing { try require(45, for: "mode crossing") }
        if wanted == .app { appMode.isWanted = true }
        request(.setMode(wanted), until: .mode(wanted), for: id, &effects)
    }

    mutating func setIntensity(
        _ id: CommandID, _ arguments: Arguments, _ effects: inout Effects
    ) throws(CommandError) {
        let value = try arguments.whole("intensity", UInt8.self)
        let hasFeedback = arguments.flag("feedback")
        if hasFeedback { vibrations.signalled(at: now) }
        request(
            .setIntensity(value, feedback: hasFeedback),
            until: .parameter([.intensity, .extendedIntensity], .integer(Int(value))), for: id, &effects)
    }

    /// Firmware that knows no persistence is asked the older way.
    mutating func setHeadingOffset(
        _ id: CommandID, _ arguments: Arguments, _ effects: inout Effects
    ) throws(CommandError) {
        let value = try arguments.whole("heading_offset", UInt16.self)
        let persist = arguments.flag("persist")
        if persist { try require(41, for: "persist") }
        let isOld = (firmware?.version ?? 0) < 41
        request(
            isOld ? .setBasicHeadingOffset(value) : .setHeadingOffset(value, persist: persist),
            until: .parameter([.headingOffset, .extendedHeadingOffset], .integer(Int(value))), for: id,
            &effects)
    }

    mutating func setAccuracySignal(
        _ id: CommandID, _ arguments: Arguments, _ effects: inout Effects
    ) throws(CommandError) {
        let name = try arguments.word("accuracy_signal")
        guard let signal = AccuracySignal(name: name) else { throw .unreadable }
        let persist = arguments.flag("persist")
        if persist { try require(41, for: "persist") }
        request(
            .setAccuracySignal(signal, persist: persist),
            until: .parameter([.accuracySignal], .string(name)), for: id, &effects)
    }

    mutating func setPairingRequired(
        _ id: CommandID, _ arguments: Arguments, _ effects: inout Effects
    ) throws(CommandError) {
        let value = arguments.flag("pairing_required")
        let persist = arguments.flag("persist")
        if persist { try require(41, for: "persist") }
        request(
            .setPairingRequired(value, persist: persist), until: .parameter([.pairingRequired], .bool(value)),
            for: id, &effects)
    }

    mutating func rename(
        _ id: CommandID, _ arguments: Arguments, _ effects: inout Effects
    ) throws(CommandError) {
        let suffix = Array(try arguments.word("device_name").utf8)
        guard suffix.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            throw CommandError(.invalidValue, "device_name: only printable ASCII")
        }
        write(GATT.parameterRequest, ParameterRequest.rename(suffix).bytes, for: .command(id), &effects)
    }

    mutating func reset(
        _ id: CommandID, _ arguments: Arguments, _ effects: inout Effects
    ) throws(CommandError) {
        try require(43, for: "reset")
        var parts = ["parameters", "bluetooth", "sensors"].map(arguments.flag)
        if !arguments.has("parameters"), !parts.contains(true) { parts[0] = true }
        guard parts.contains(true) else {
            throw CommandError(.invalidValue, "at least one of parameters bluetooth sensors must be true")
        }
        let request = ParameterRequest.reset(parameters: parts[0], bluetooth: parts[1], sensors: parts[2])
        write(GATT.parameterRequest, request.bytes, for: .command(id), &effects)
        // No notification tells what the parameters are now.
        guard parts[0] else { return }
        for parameter in [Parameter.intensity, .headingOffset, .accuracySignal, .pairingRequired] {
            effects.write(GATT.parameterRequest, ParameterRequest.read(parameter).bytes)
        }
    }

    mutating func play(
        _ id: CommandID, _ arguments: Arguments, _ effects: inout Effects
    ) throws(CommandError) {
        try require(45, for: "sound")
        guard profile.has(GATT.sound) else {
            throw CommandError(.notSupported, "this belt has no buzzer command")
        }
        let tone: Tone
        if let name = arguments.text("sound") {
            guard let found = Tone.named.first(where: { $0.name == name }) else { throw .unreadable }
            tone = found.tone
        } else {
            guard let steps = arguments["steps"]?.array else { throw .unreadable }
            tone = Tone(
                steps.map {
                    Tone.Step(
                        hertz: $0["hz"]?.double ?? 0, milliseconds: $0["ms"]?.integer ?? 0)
                })
        }
        write(GATT.sound, tone.bytes, for: .command(id), &effects)
    }
}

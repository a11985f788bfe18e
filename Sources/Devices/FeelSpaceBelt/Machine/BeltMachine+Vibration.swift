import DeviceKit
import JSON

extension BeltMachine {
    /// Writes a vibration command and answers when the belt acknowledges it.
    mutating func send(
        _ vibration: VibrationCommand, for id: CommandID?, priority: Write.Priority = .normal,
        _ effects: inout Effects
    ) {
        // A channel is its newest user's.
        if let channel = vibration.configuredChannel, channel == haptic?.channel {
            haptic?.channel = nil
            endHaptic(&effects)
        }
        track(vibration)
        guard let id else {
            return effects.write(GATT.vibration, vibration.bytes, priority: priority)
        }
        write(GATT.vibration, vibration.bytes, for: .command(id), priority: priority, &effects)
    }

    /// Remembers which channels go on until they are stopped.
    private mutating func track(_ vibration: VibrationCommand) {
        switch vibration {
        case .configure(let configuration):
            if configuration.clearsOthers { endlessChannels = [] }
            setEndless(configuration.channel, configuration.iterations == nil)
        case .pulse(let configuration):
            if configuration.clearsOthers { endlessChannels = [] }
            setEndless(configuration.channel, configuration.iterations == nil)
        case .stop(let channel?): setEndless(channel, false)
        case .stop(nil): endlessChannels = []
        case .system: break
        }
    }

    private mutating func setEndless(_ channel: UInt8, _ isEndless: Bool) {
        if isEndless { endlessChannels.insert(channel) } else { endlessChannels.remove(channel) }
    }

    /// Carries out `vibrate` and `pulse`, under the rule by which the belt accepts them.
    mutating func vibrate(
        _ vibration: VibrationCommand, _ id: CommandID, _ arguments: Arguments, _ effects: inout Effects
    ) throws(CommandError) {
        if mode == .app || vibration.isAcceptedOutsideAppMode {
            return send(vibration, for: id, &effects)
        }
        guard arguments.flag("enter_app_mode") else {
            throw CommandError(
                .wrongMode,
                "the belt is in mode \(mode?.name ?? "unknown"); outside mode app it takes only channel 0 "
                    + "with limited iterations and without clear_others; set mode app, or add "
                    + "\"enter_app_mode\":true")
        }
        appMode.isWanted = true
        request(.setMode(.app), until: .mode(.app), for: id, then: .vibrate(vibration), &effects)
    }

    /// Carries out `stop`, ahead of the vibrations that wait for the same channel.
    mutating func stop(_ request: Request, _ effects: inout Effects) {
        let channel = request.arguments.integer("channel").map { UInt8(clamping: $0) }
        supersedeVibrations(on: channel, &effects)
        if channel == nil || channel == haptic?.channel { endHaptic(resumes: channel != nil, &effects) }
        silence(channel, for: request.id, &effects)
    }

    /// Stops a channel or all at once; once more behind vibrations that are on their way already.
    private mutating func silence(_ channel: UInt8?, for id: CommandID?, _ effects: inout Effects) {
        let isBehind = writes.values.contains { purpose in
            switch purpose {
            case .command, .haptic, .signal: true
            case .confirmed, .ask, .lastWord: false
            }
        }
        if isBehind { send(.stop(channel: channel), for: nil, priority: .ahead, &effects) }
        send(.stop(channel: channel), for: id, priority: isBehind ? .normal : .ahead, &effects)
    }

    /// Answers vibrations that wait: the stop takes their place.
    private mutating func supersedeVibrations(on channel: UInt8?, _ effects: inout Effects) {
        let dropped = queue.remove { request in
            if request.feature == Feature.hapticName { return channel == nil }
            guard request.feature == "vibrate" || request.feature == "pulse" else { return false }
            return channel == nil || request.arguments.integer("channel") == channel.map { Int($0) }
        }
        for request in dropped { effects.answer(request.id, .superseded) }
        if case .vibrate(let vibration) = confirmation?.next,
            channel == nil || vibration.configuredChannel == channel
        {
            if let id = confirmation?.command { effects.answer(id, .superseded) }
            confirmation?.command = nil
            confirmation?.next = .answer
        }
    }

    /// Stops what vibrates, as far as its cause asks for.
    ///
    /// A direction stays true without a broker, and the wearer's buttons work; so a lost broker ends only what
    /// commands left vibrating without an end and patterns, and a late or reloading bridge ends nothing.
    mutating func stop(_ cause: StopCause, _ effects: inout Effects) {
        switch cause {
        case .allStop, .shutdown, .suspend: endHaptic(resumes: false, &effects)
        case .brokerLost: endHaptic(&effects)
        case .late, .reload, .pathLost, .pathGone: break
        }
        switch cause {
        case .allStop:
            for request in queue.remove(where: { _ in true }) { effects.answer(request.id, .superseded) }
            supersedeVibrations(on: nil, &effects)
            answerNavigation(.superseded, &effects)
            if phase == .online { silence(nil, for: nil, &effects) }
            perform(navigation.handle(.stop, mode: phase == .online ? mode : nil), &effects)
            if phase == .online, mode == .compass || mode == .crossing || hapticReturn != nil {
                hapticReturn = nil
                request(mode: .wait, &effects)
            }
        case .shutdown where phase == .online:
            supersedeVibrations(on: nil, &effects)
            silence(nil, for: nil, &effects)
        case .suspend:
            answerNavigation(.superseded, &effects)
            if phase == .online {
                supersedeVibrations(on: nil, &effects)
                silence(nil, for: nil, &effects)
            }
            perform(navigation.handle(.pause, mode: phase == .online ? mode : nil), &effects)
        case .brokerLost where phase == .online:
            for channel in endlessChannels.sorted() { silence(channel, for: nil, &effects) }
        case .shutdown, .brokerLost, .late, .reload, .pathLost, .pathGone: break
        }
    }

    /// Carries out `notify`.
    mutating func notify(
        _ id: CommandID, _ arguments: Arguments, _ effects: inout Effects
    ) throws(CommandError) {
        let kind = try arguments.word("kind")
        let channel = Signal.notificationChannel
        var vibration: VibrationCommand?
        switch kind {
        case "direction":
            guard let direction = arguments.number("direction") else {
                throw CommandError(.missingField, "direction: missing; 0..<360")
            }
            let reference = Reference(name: try arguments.word("reference")) ?? .magnetic
            vibration = Signal.direction.command(on: channel, direction: Int(direction), reference: reference)
        case "warning": vibration = Signal.operationWarning.command(on: channel)
        case "critical_warning": vibration = Signal.criticalWarning.command(on: channel)
        // FSLib-iOS plays the system signal; FSLib-Android configures the same pattern on channel 0.
        case "destination_reached": vibration = .system(.destinationReached)
        case "battery": vibration = Signal.batteryLevel.command(on: channel)
        default: break
        }
        guard let vibration else { throw .unreadable }
        if kind == "destination_reached", arguments.flag("stop_navigation") {
            answerNavigation(.superseded, &effects)
            perform(navigation.handle(.stop, mode: mode), &effects)
        }
        send(vibration, for: id, &effects)
    }
}

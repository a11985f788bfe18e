import DeviceKit

extension Arguments {
    /// The place that the arguments name; nil where none is given.
    ///
    /// Directions are truncated to whole degrees, as the libraries do.
    func place(_ firmware: FirmwareInformation?) throws(CommandError) -> Place? {
        if let direction = number("direction") {
            return text("reference") == Reference.magnetic.name
                ? .bearing(Int(direction)) : .angle(Int(direction))
        }
        if let motor = integer("motor") { return .motor(motor) }
        guard let motors = integers("motors") else { return nil }
        let mask = motors.reduce(UInt16(0)) { $0 | 1 << UInt16(truncatingIfNeeded: $1) }
        // FSLib-Android says that this firmware drives no more.
        if firmware?.version == 43, mask.nonzeroBitCount > 4 {
            throw CommandError(.notSupported, "motors: firmware 43 drives at most 4 motors at once")
        }
        return .motors(mask)
    }

    /// The command of `vibrate/set`.
    ///
    /// Intensity 0 stops the channel, as the documented convenience calls do.
    func vibration(_ firmware: FirmwareInformation?) throws(CommandError) -> VibrationCommand {
        guard let pattern = Pattern(name: try word("pattern")) else { throw .unreadable }
        let channel = try whole("channel", UInt8.self)
        if integer("intensity") == 0 { return .stop(channel: flag("clear_others") ? nil : channel) }
        var place = try place(firmware)
        if pattern.hasOwnMotors {
            if has("motors") {
                throw CommandError(
                    .invalidValue, "motors: pattern \(try word("pattern")) chooses its motors itself")
            }
            place = place ?? .motor(0)
        }
        guard let place else { throw .placeMissing }
        let period = try whole("period_ms", UInt16.self)
        return .configure(
            ChannelConfiguration(
                channel: channel, pattern: pattern,
                intensity: integer("intensity").map { UInt8(clamping: $0) },
                place: place, iterations: integer("iterations").map { UInt8(clamping: $0) }, period: period,
                // Beyond the period its meaning is not known; FSLib-iOS reduces it in the same way.
                start: try whole("start_ms", UInt16.self) % max(1, period), isExclusive: flag("exclusive"),
                clearsOthers: flag("clear_others")))
    }

    /// The command of `pulse/set`.
    func pulse(_ firmware: FirmwareInformation?) throws(CommandError) -> PulseConfiguration {
        guard let timer = PulseTimer(name: try word("timer")) else { throw .unreadable }
        guard let place = try place(firmware) else { throw .placeMissing }
        let pulses = try whole("pulses", UInt8.self)
        let period = try whole("pulse_period_ms", UInt16.self)
        let series = integer("series_period_ms") ?? Int(pulses) * Int(period)
        return PulseConfiguration(
            channel: try whole("channel", UInt8.self), place: place,
            intensity: integer("intensity").map { UInt8(clamping: $0) },
            onDuration: try whole("on_ms", UInt16.self), pulses: pulses,
            iterations: integer("iterations").map { UInt8(clamping: $0) }, pulsePeriod: period,
            seriesPeriod: UInt16(clamping: series), timer: timer, isExclusive: flag("exclusive"),
            clearsOthers: flag("clear_others"))
    }
}

extension CommandError {
    fileprivate static let placeMissing = CommandError(
        .missingField, "direction: missing; give direction, motor or motors")
}

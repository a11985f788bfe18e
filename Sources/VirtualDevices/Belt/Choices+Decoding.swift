import Bluetooth

extension VirtualBelt.Choices {
    /// Reads the choices for a belt from a scenario file. Choices whose key is absent keep their default.
    init(_ reader: MappingReader?) throws(ScenarioError) {
        self.init()
        guard var reader else { return }
        try readIdentity(&reader)
        try readLink(&reader)
        try readButtons(&reader)
        try readVibration(&reader)
        try readSensors(&reader)
        try reader.finish()
    }

    private mutating func readIdentity(_ reader: inout MappingReader) throws(ScenarioError) {
        nameSuffix =
            try reader.scalar("name_suffix", expected: "at most 18 characters of ASCII") { text in
                text.utf8.count <= 18 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? text : nil
            } ?? nameSuffix
        firmware = try reader.bytes("firmware", count: 3...20) ?? firmware
        pairing = try reader.option("pairing", Pairing.self) ?? pairing
        offersWriteWithoutResponse =
            try reader.flag("write_without_response") ?? offersWriteWithoutResponse
        headingOffset = try reader.integer("heading_offset", in: 0...359) ?? headingOffset
        heading = try reader.integer("heading", in: 0...359) ?? heading
        accuracySignal = UInt8(try reader.integer("accuracy_signal", in: 0...3) ?? Int(accuracySignal))
    }

    private mutating func readLink(_ reader: inout MappingReader) throws(ScenarioError) {
        keepAlivePeriod = try reader.duration("keep_alive", from: .milliseconds(10)) ?? keepAlivePeriod
        keepAliveByte = UInt8(try reader.integer("keep_alive_byte", in: 0...255) ?? Int(keepAliveByte))
        missedReplies = try reader.integer("missed_replies", in: 1...1000)
        standbyDelay = try reader.duration("standby_delay", from: .milliseconds(1)) ?? standbyDelay
        refusedMode = try reader.option("refused_mode", RefusedMode.self) ?? refusedMode
        rejection =
            try reader.scalar("rejected_command", expected: "ignored, or an ATT error code from 0x01 to 0xff")
        {
            text -> Rejection? in
            if text == "ignored" { return .ignored }
            let code = text.hasPrefix("0x") ? UInt8(text.dropFirst(2), radix: 16) : UInt8(text)
            return code.flatMap { $0 > 0 ? .error($0) : nil }
        } ?? rejection
    }

    private mutating func readButtons(_ reader: inout MappingReader) throws(ScenarioError) {
        pressCodes = try reader.bytes("press_codes", count: 3...3) ?? pressCodes
        buttonByte = UInt8(try reader.integer("button_byte", in: 0...255) ?? Int(buttonByte))
        notifiesPowerPress = try reader.flag("notify_power_press") ?? notifiesPowerPress
        notifiesCompassInPause = try reader.flag("notify_compass_in_pause") ?? notifiesCompassInPause
        repeatsModeOfButton = try reader.flag("repeat_mode_of_button") ?? repeatsModeOfButton
        intensityStep = try reader.integer("intensity_step", in: 1...50) ?? intensityStep
    }

    private mutating func readVibration(_ reader: inout MappingReader) throws(ScenarioError) {
        intensity = try reader.integer("intensity", in: 5...100) ?? intensity
        warningIntensity = try reader.integer("warning_intensity", in: 1...100) ?? warningIntensity
        channelsSurvive = try reader.flag("channels_survive") ?? channelsSurvive
        vibratesInPause = try reader.flag("vibrates_in_pause") ?? vibratesInPause
        systemSignals = try reader.option("system_signals", SignalPlace.self) ?? systemSignals
        channelCount = try reader.integer("channels", in: 1...6) ?? channelCount
        motorLimit = try reader.integer("motor_limit", in: 1...16) ?? motorLimit
        waitSignalPeriod =
            try reader.optionalDuration("wait_signal", from: .milliseconds(500)) ?? waitSignalPeriod
        inaccuracySignalPeriod =
            try reader.duration("inaccuracy_signal", from: .seconds(1)) ?? inaccuracySignalPeriod
        guard let shapes = try reader.mapping("patterns") else { return }
        for entry in shapes.keys {
            guard let number = UInt8(entry.key), number <= 26 else {
                throw shapes.invalid(
                    ScenarioNode(line: entry.line, .scalar(entry.key)), entry.key,
                    expected: "a pattern's number from 0 to 26")
            }
            patterns[number] = VirtualBelt.Pattern(onAndOff: try Self.times(entry, of: shapes))
        }
    }

    /// Reads the times of a pattern in milliseconds, alternately on and off.
    private static func times(
        _ entry: ScenarioNode.Entry, of reader: MappingReader
    ) throws(ScenarioError) -> [Int] {
        guard case .sequence(let items) = entry.value.content else {
            throw reader.invalid(
                entry.value, entry.key, expected: "a list of times on and off in ms, such as [150, 150, 150]")
        }
        var times: [Int] = []
        for item in items {
            guard case .scalar(let text) = item.content, let time = Int(text), (1...65_535).contains(time)
            else { throw reader.invalid(item, entry.key, expected: "a time in ms from 1 to 65535") }
            times.append(time)
        }
        return times
    }

    private mutating func readSensors(_ reader: inout MappingReader) throws(ScenarioError) {
        batteryPeriod = try reader.duration("battery_period", from: .milliseconds(10)) ?? batteryPeriod
        batteryLevel = try reader.number("battery", in: 0...100) ?? batteryLevel
        batteryDrain = try reader.number("battery_drain_per_minute", in: 0...1000) ?? batteryDrain
        sendsBatteryExtras = try reader.flag("battery_extras") ?? sendsBatteryExtras
        orientationPeriod = try reader.duration("orientation", from: .milliseconds(20)) ?? orientationPeriod
        calibrationTime = try reader.duration("calibration_time", from: .milliseconds(10)) ?? calibrationTime
        tellsCalibration = try reader.flag("calibration") ?? tellsCalibration
        rawPeriod = try reader.duration("raw_period", from: .milliseconds(5)) ?? rawPeriod
    }
}

import Bluetooth

extension VirtualTap.Choices {
    /// Reads the choices for a TAP from a scenario file. Choices whose key is absent keep their default.
    init(_ reader: MappingReader?) throws(ScenarioError) {
        self.init()
        guard var reader else { return }
        try readIdentity(&reader)
        try readTable(&reader)
        try readCommands(&reader)
        try readEvents(&reader)
        try readFrames(&reader)
        try readRaw(&reader)
        try reader.finish()
    }

    private mutating func readIdentity(_ reader: inout MappingReader) throws(ScenarioError) {
        model = try reader.option("model", Model.self) ?? model
        hardware = try reader.text("hardware", length: 0...20)
        firmware = try reader.text("firmware", length: 0...20)
        bootloader = try reader.text("bootloader", length: 0...20) ?? bootloader
        serial = try reader.text("serial", length: 0...20)
        modelVersion = try reader.text("model_version", length: 0...20) ?? modelVersion
        coprocessor = try reader.text("coprocessor", length: 0...20) ?? coprocessor
        longestName = try reader.integer("longest_name", in: 1...512) ?? longestName
        name = try reader.text("name", length: 1...longestName) ?? name
        advertisesNewName = try reader.flag("advertise_new_name") ?? advertisesNewName
        batteryLevel = try reader.number("battery", in: 0...100) ?? batteryLevel
        batteryDrain = try reader.number("battery_drain_per_minute", in: 0...1000) ?? batteryDrain
        notifiesBattery = try reader.flag("notify_battery") ?? notifiesBattery
    }

    private mutating func readTable(_ reader: inout MappingReader) throws(ScenarioError) {
        hasInputService = try reader.flag("hid") ?? hasInputService
        advertisesInput = try reader.flag("advertise_hid") ?? advertisesInput
        advertisesTap = try reader.flag("advertise_tap") ?? advertisesTap
        appearance = try reader.integer("appearance", in: 0...65_535).map { UInt16($0) }
        encryption = try reader.option("encryption", Encryption.self) ?? encryption
        pairing = try reader.option("pairing", Pairing.self) ?? pairing
        commandWrites = try reader.option("command_writes", CommandWrites.self) ?? commandWrites
        let expected =
            "a list of characteristics such as [2A28, c3ff000b-1d8b-40fd-a56f-c7bd5d0f3370]"
        missing = Set(try reader.list("missing", expected: expected) { UUID($0) } ?? [])
    }

    private mutating func readCommands(_ reader: inout MappingReader) throws(ScenarioError) {
        modeTimeout = try reader.optionalDuration("mode_timeout", from: .milliseconds(10)) ?? modeTimeout
        keepsMode = try reader.flag("keep_mode") ?? keepsMode
        commandSlot = try reader.optionalDuration("command_slot", from: .milliseconds(1)) ?? commandSlot
        rejection =
            try reader.scalar("rejected_command", expected: "ignored, or an ATT error code from 0x01 to 0xff")
        { text -> UInt8?? in
            if text == "ignored" { return .some(.none) }
            let code = text.hasPrefix("0x") ? UInt8(text.dropFirst(2), radix: 16) : UInt8(text)
            return code.flatMap { $0 > 0 ? .some($0) : nil }
        } ?? rejection
        shortRaw = try reader.option("short_raw_command", Uncertain.self) ?? shortRaw
        sensitivityChange = try reader.option("sensitivity_change", Uncertain.self) ?? sensitivityChange
        announcesXRState = try reader.flag("announce_xr_state") ?? announcesXRState
        playsSinglePulse = try reader.flag("single_pulse") ?? playsSinglePulse
        settings = try reader.bytes("settings", count: 20...20) ?? settings
        let isDeveloper = try reader.flag("developer_mode") ?? (settings[3] & 0x40 != 0)
        settings[3] = isDeveloper ? settings[3] | 0x40 : settings[3] & ~0x40
    }

    private mutating func readEvents(_ reader: inout MappingReader) throws(ScenarioError) {
        sendsEventsInRaw = try reader.flag("events_in_raw") ?? sendsEventsInRaw
        sendsGesturesInText = try reader.flag("gestures_in_text") ?? sendsGesturesInText
        tapLength = try reader.integer("tap_length", in: 1...20) ?? tapLength
        sendsTapInterval = try reader.flag("tap_interval") ?? sendsTapInterval
        sendsAngles = try reader.flag("mouse_angles") ?? sendsAngles
        mouseTime = UInt32(try reader.integer("mouse_dt", in: 0...Int(UInt32.max)) ?? Int(mouseTime))
        handPeriod = try reader.duration("hand_period", from: .milliseconds(10)) ?? handPeriod
    }

    private mutating func readFrames(_ reader: inout MappingReader) throws(ScenarioError) {
        framed = try reader.option("framed", Framed.self) ?? framed
        keepAliveTimeout =
            try reader.optionalDuration("keep_alive_timeout", from: .milliseconds(10)) ?? keepAliveTimeout
        answersQuestions = try reader.flag("answer_questions") ?? answersQuestions
        announcesSettings = try reader.flag("announce_settings") ?? announcesSettings
        isSilentInStandby = try reader.flag("silent_standby") ?? isSilentInStandby
        typesBesideFrames = try reader.flag("types_beside_frames") ?? typesBesideFrames
    }

    private mutating func readRaw(_ reader: inout MappingReader) throws(ScenarioError) {
        fingerRate = try reader.number("finger_rate", in: 1...1000) ?? fingerRate
        motionRate = try reader.number("imu_rate", in: 1...1000) ?? motionRate
        rawPeriod = try reader.duration("raw_period", from: .milliseconds(1)) ?? rawPeriod
        rawPadding = try reader.option("raw_padding", Padding.self) ?? rawPadding
        paddingCount = try reader.integer("raw_padding_bytes", in: 1...64) ?? paddingCount
        mixesMessages = try reader.flag("raw_mixed") ?? mixesMessages
        clockStart = UInt32(try reader.integer("clock", in: 1...0x7FFF_FFFF) ?? Int(clockStart))
    }
}

import Bluetooth

extension VirtualTap {
    /// The state of a TAP that a client controls by the framed protocol.
    struct FramedState: Hashable, Sendable {
        /// The features that are switched on, so that the device senses and notifies them.
        var isOn: Set<Feature> = []
        /// The code of the mode that determines when the camera is active.
        var visionMode: UInt8 = 0
        /// The code of the model that the camera uses for recognition.
        var visionModel: UInt8 = 0
        var isInStandby = false
    }

    /// The features that can be switched separately. The raw value is the feature's code in the protocol.
    enum Feature: UInt8, CaseIterable, Sendable {
        case raw = 0
        case detection = 1
        case motion = 2
        case triggers = 3
        case standbyGesture = 4

        /// The feature's name in reports.
        var word: String {
            switch self {
            case .raw: "raw"
            case .detection: "detection"
            case .motion: "motion"
            case .triggers: "triggers"
            case .standbyGesture: "standby_gesture"
            }
        }
    }

    /// The names of the gestures of the framed protocol. The code of a gesture is 100 plus its index.
    static let framedGestures = [
        "none", "left", "right", "up", "down", "thumb_index", "thumb_middle", "thumb_ring", "thumb_pinky",
        "fist", "thumb_index_hold", "thumb_middle_hold", "thumb_ring_hold", "thumb_pinky_hold", "fist_hold",
    ]

    /// The code of a gesture, if the device supports the framed protocol.
    func framedGesture(_ word: String) -> UInt8? {
        guard choices.framed != .off else { return nil }
        return Self.framedGestures.firstIndex(of: word).map { UInt8(100 + $0) }
    }

    /// Whether a feature is on and a client is subscribed to its notifications.
    func tells(_ feature: Feature) -> Bool {
        frames.isOn.contains(feature) && isListening(to: Attribute.frames)
    }

    /// Whether taps and gestures are on, a client is subscribed to them, and standby does not suppress them.
    var tellsDetections: Bool { tells(.detection) && !(frames.isInStandby && choices.isSilentInStandby) }

    /// Handles a command of the framed protocol.
    mutating func receive(frame bytes: [UInt8], _ turn: inout Turn) throws(Rejected) {
        guard bytes.count >= 4, bytes[3] == 0 else {
            throw Rejected("a frame is a command of four bytes, the last of them 00, and its payload")
        }
        let payload = Array(bytes[4...])
        switch (bytes[0], bytes[1], bytes[2]) {
        case (0, 0, 0): try set(feature: payload, &turn)
        case (0, 1, 0):
            guard let code = payload.first, let feature = Feature(rawValue: code) else {
                throw Rejected("unknown feature")
            }
            answer([0x03, 0x00, 0x00, 0x00, code, frames.isOn.contains(feature) ? 1 : 0], &turn)
        case (1, 0, let action): try vision(action, payload, &turn)
        case (1, 1, let action): try measure(action, payload, &turn)
        case (1, 2, 3):
            try userInterface(payload, &turn)
            announce([0x03, 0x04, 0x00, 0x00] + payload, &turn)
        case (2, 0, 0): keptAlive(&turn)
        case (3, 3, 0): answer([0x02, 0x00, 0x00, 0x00, frames.isInStandby ? 1 : 0], &turn)
        case (3, 4, 0):
            guard let state = payload.first, state <= 1 else { throw Rejected("standby is 0 or 1") }
            set(standby: state == 1, &turn)
            announce([0x02, 0x00, 0x00, 0x00, state], &turn)
        default: throw Rejected("unknown command")
        }
    }

    private mutating func set(feature payload: [UInt8], _ turn: inout Turn) throws(Rejected) {
        guard payload.count >= 2, let feature = Feature(rawValue: payload[0]), payload[1] <= 1 else {
            throw Rejected("a switch command has a feature from 0 to 4, and a state of 0 or 1")
        }
        let isOn = payload[1] == 1
        if isOn != frames.isOn.contains(feature) {
            if isOn { frames.isOn.insert(feature) } else { frames.isOn.remove(feature) }
            turn.report(
                "switch", ["feature": feature.word, "on": isOn ? "true" : "false", "because": "command"])
            if feature == .raw { updateStream(&turn) }
        }
        announce([0x03, 0x00, 0x00, 0x00, payload[0], payload[1]], &turn)
    }

    private mutating func vision(_ action: UInt8, _ payload: [UInt8], _ turn: inout Turn) throws(Rejected) {
        switch action {
        case 0:
            guard let mode = payload.first, mode <= 2 else { throw Rejected("a vision mode is 0, 1 or 2") }
            frames.visionMode = mode
            turn.report("vision", ["mode": ["trigger", "stream_on_trigger", "stream"][Int(mode)]])
            announce([0x03, 0x01, 0x00, 0x00, mode], &turn)
        case 1:
            guard let model = payload.first, model <= 1 else { throw Rejected("a vision model is 0 or 1") }
            frames.visionModel = model
            turn.report("vision", ["model": ["tapping", "air_gesture"][Int(model)]])
            announce([0x03, 0x02, 0x00, 0x00, model], &turn)
        case 10: answer([0x03, 0x01, 0x00, 0x00, frames.visionMode], &turn)
        case 11: answer([0x03, 0x02, 0x00, 0x00, frames.visionModel], &turn)
        default: throw Rejected("unknown camera command")
        }
    }

    private mutating func measure(_ action: UInt8, _ payload: [UInt8], _ turn: inout Turn) throws(Rejected) {
        switch action {
        case 2:
            guard payload.count >= 2, (1...5).contains(payload[0]), (1...4).contains(payload[1]) else {
                throw Rejected("the ranges are 1 to 5 for the gyroscope and 1 to 4 for the accelerometer")
            }
            sensitivity = Sensitivity([0, payload[0], payload[1]][...])
            turn.report("sensitivity", ["codes": sensitivity.text])
            announce([0x03, 0x03, 0x00, 0x00] + payload.prefix(2), &turn)
        case 12: answer([0x03, 0x03, 0x00, 0x00, sensitivity.gyro, sensitivity.accelerometer], &turn)
        default: throw Rejected("unknown sensor command")
        }
    }

    private func answer(_ bytes: [UInt8], _ turn: inout Turn) {
        if choices.answersQuestions { turn.notify(Attribute.frames, bytes) }
    }

    private func announce(_ bytes: [UInt8], _ turn: inout Turn) {
        if choices.announcesSettings { turn.notify(Attribute.frames, bytes) }
    }

    private func keptAlive(_ turn: inout Turn) {
        if let timeout = choices.keepAliveTimeout { turn.start(.keepAlive, after: timeout) }
    }

    /// Switches all features off, because no client is active.
    mutating func senseNothing(because reason: String, _ turn: inout Turn) {
        turn.cancel(.keepAlive)
        for feature in Feature.allCases where frames.isOn.contains(feature) {
            turn.report("switch", ["feature": feature.word, "on": "false", "because": reason])
        }
        frames.isOn = []
        updateStream(&turn)
    }

    private mutating func set(standby isInStandby: Bool, _ turn: inout Turn) {
        guard isInStandby != frames.isInStandby else { return }
        frames.isInStandby = isInStandby
        turn.report("standby", ["on": isInStandby ? "true" : "false"])
    }

    /// Simulates the gesture that switches standby on or off.
    mutating func actStandby(_ rest: ArraySlice<String>, _ turn: inout Turn) -> Bool {
        guard rest == ["on"] || rest == ["off"] else { return false }
        if tells(.standbyGesture) {
            set(standby: rest == ["on"], &turn)
            turn.notify(Attribute.frames, [0x02, 0x00, 0x00, 0x00, frames.isInStandby ? 1 : 0])
        } else {
            noteUnheard(false, "standby gesture", &turn)
        }
        return true
    }
}

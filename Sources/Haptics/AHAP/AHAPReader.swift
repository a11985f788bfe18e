import JSON

/// Reads one AHAP file and collects remarks on the parts that are not played.
struct AHAPReader {
    var remarks: [String] = []
    var hasSound = false
    private var pattern = Pattern([])

    /// Event parameters that concern sound only.
    private static let soundParameters: Set<String> = [
        "AudioVolume", "AudioPan", "AudioPitch", "AudioBrightness",
    ]
    /// Controls that concern sound only.
    private static let soundControls: Set<String> = [
        "AudioVolumeControl", "AudioPanControl", "AudioPitchControl", "AudioBrightnessControl",
        "AudioAttackTimeControl", "AudioDecayTimeControl", "AudioReleaseTimeControl",
    ]

    mutating func read(_ value: JSON.Value) throws(HapticsError) -> Pattern {
        let root = Node(value: value, path: "")
        guard value.object != nil else {
            throw HapticsError(.invalid, "the top level", "an object, got \(value.kind)")
        }
        if let version = try root.member("Version"), try version.number() >= AHAPFile.version + 1 {
            remarks.append("Version: \(version.value) is newer than the known \(AHAPFile.version)")
        }
        if let metadata = try root.member("Metadata") { pattern.metadata = try metadata.object() }
        for entry in try root.required("Pattern").elements(limit: Pattern.maximumCount) {
            try read(entry: entry)
        }
        guard !pattern.events.isEmpty else {
            throw HapticsError(.invalid, "Pattern", "holds no haptic event")
        }
        return pattern
    }

    private mutating func read(entry: Node) throws(HapticsError) {
        let keys = try entry.object().keys
        if let event = try entry.member("Event") { try read(event: event) }
        if let parameter = try entry.member("Parameter") { try read(parameter: parameter) }
        if let curve = try entry.member("ParameterCurve") { try read(curve: curve) }
        if Set(keys).isDisjoint(with: ["Event", "Parameter", "ParameterCurve"]) {
            remarks.append("\(entry.path): neither Event nor Parameter nor ParameterCurve, passed over")
        }
    }

    // MARK: Events

    private mutating func read(event: Node) throws(HapticsError) {
        let type = try event.required("EventType")
        let word = try type.text()
        let time = try self.time(event)
        switch word {
        case "HapticTransient":
            var event = try parameters(of: event, time: time)
            event.kind = .transient
            pattern.events.append(event)
        case "HapticContinuous":
            let place = try event.required("EventDuration")
            var duration = try place.number()
            guard duration > 0 else {
                throw HapticsError(.outOfRange, place.path, "more than 0 seconds, got \(place.value)")
            }
            if duration > Event.maximumDuration {
                remarks.append("\(place.path): \(place.value) s, cut to \(Int(Event.maximumDuration)) s")
                duration = Event.maximumDuration
            }
            var event = try parameters(of: event, time: time)
            if case .continuous(_, let envelope) = event.kind {
                event.kind = .continuous(duration: duration, envelope: envelope)
            }
            pattern.events.append(event)
        case "AudioContinuous", "AudioCustom":
            hasSound = true
            remarks.append("\(event.path): \(word) is sound, not played")
        default:
            throw type.mismatch("one of HapticTransient HapticContinuous AudioContinuous AudioCustom")
        }
    }

    /// Creates an event from its parameters. Of duplicate parameters, the last one is used.
    private mutating func parameters(of node: Node, time: Double) throws(HapticsError) -> Event {
        var event = Event(time: time, .transient, intensity: 1, sharpness: 0.5)
        var envelope = Envelope()
        for parameter in try node.member("EventParameters")?.elements(limit: 64) ?? [] {
            let name = try parameter.required("ParameterID").text()
            let value = try parameter.required("ParameterValue")
            let amount = try value.number(clampedTo: 0...1)
            switch name {
            case "HapticIntensity": event.intensity = amount
            case "HapticSharpness": event.sharpness = amount
            case "AttackTime": envelope.attack = amount
            case "DecayTime": envelope.decay = amount
            case "ReleaseTime": envelope.release = amount
            case "Sustained": envelope.isSustained = amount >= 0.5
            default: pass(over: name, parameter, Self.soundParameters)
            }
        }
        event.kind = .continuous(duration: 0, envelope: envelope)
        return event
    }

    // MARK: Changes

    private mutating func read(parameter: Node) throws(HapticsError) {
        let value = try parameter.required("ParameterValue")
        _ = try value.number()
        guard let control = try control(parameter) else { return }
        pattern.changes.append(
            Change(
                control, time: try time(parameter), .step(try value.number(clampedTo: control.range))))
    }

    private mutating func read(curve: Node) throws(HapticsError) {
        let place = try curve.required("ParameterCurveControlPoints")
        let nodes = try place.elements(limit: Pattern.maximumCount)
        guard let control = try control(curve) else { return }
        var points: [Change.Point] = []
        for node in nodes {
            let value = try node.required("ParameterValue").number(clampedTo: control.range)
            points.append(Change.Point(time: try time(node), value: value))
        }
        guard !points.isEmpty else { throw HapticsError(.missing, place.path, "at least one point") }
        for index in points.indices.dropFirst() where points[index].time < points[index - 1].time {
            throw HapticsError(
                .invalid, "\(place.path)[\(index)].Time",
                "not before the point in front of it, got \(points[index].time)")
        }
        if points.count > Change.maximumPoints {
            remarks.append(
                "\(place.path): \(points.count) points, of which the first \(Change.maximumPoints) count")
            points.removeLast(points.count - Change.maximumPoints)
        }
        pattern.changes.append(Change(control, time: try time(curve), .curve(points)))
    }

    /// The control that an entry changes; nil for a sound control or an unknown control.
    private mutating func control(_ node: Node) throws(HapticsError) -> Control? {
        let name = try node.required("ParameterID").text()
        if let control = Control(rawValue: name) { return control }
        pass(over: name, node, Self.soundControls)
        return nil
    }

    private mutating func pass(over name: String, _ node: Node, _ sounds: Set<String>) {
        remarks.append(
            sounds.contains(name)
                ? "\(node.path): \(name) is of sound, not played"
                : "\(node.path): \(name.count <= 60 ? name : "a long name") is not known, passed over")
    }

    private func time(_ node: Node) throws(HapticsError) -> Double {
        guard let time = try node.member("Time") else { return 0 }
        let seconds = max(0, try time.number())
        guard seconds <= Pattern.maximumTime else {
            throw HapticsError(
                .outOfRange, time.path, "at most \(Int(Pattern.maximumTime)) s, got \(time.value)")
        }
        return seconds
    }
}

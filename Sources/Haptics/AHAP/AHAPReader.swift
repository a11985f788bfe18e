import JSON

/// Reads one AHAP file and collects remarks on the parts that are changed or not played.
struct AHAPReader {
    private(set) var remarks = Remarks()
    private(set) var hasSound = false
    private var pattern = Pattern([])
    /// The error of the first invalid entry. It is thrown if the file contains no valid event.
    private var failure: HapticsError?

    /// The maximum number of entries. It exceeds the maximum number of events, because files contain long events and
    /// curves as several entries.
    private static let maximumEntries = 20 * Pattern.maximumCount
    /// Event parameters that concern sound only.
    private static let soundParameters: Set<String> = [
        "AudioVolume", "AudioPan", "AudioPitch", "AudioBrightness",
    ]
    /// Dynamic parameters of the pattern that concern sound only.
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
            remarks.add("Version: \(version.value) is newer than the supported version \(AHAPFile.version)")
        }
        if let metadata = try root.member("Metadata") { pattern.metadata = try metadata.object() }
        for entry in try root.required("Pattern").elements(limit: Self.maximumEntries) { read(entry: entry) }
        guard !pattern.events.isEmpty else {
            throw failure ?? HapticsError(.invalid, "Pattern", "contains no haptic event")
        }
        return pattern
    }

    private mutating func read(entry: Node) {
        do throws(HapticsError) {
            let keys = try entry.object().keys
            if let event = try entry.member("Event") { try read(event: event) }
            if let parameter = try entry.member("Parameter") { try read(parameter: parameter) }
            if let curve = try entry.member("ParameterCurve") { try read(curve: curve) }
            if Set(keys).isDisjoint(with: ["Event", "Parameter", "ParameterCurve"]) {
                remarks.add("\(entry.path): neither Event nor Parameter nor ParameterCurve, ignored")
            }
        } catch {
            if failure == nil { failure = error }
            remarks.add("\(error); ignored")
        }
    }

    // MARK: Events

    private mutating func read(event: Node) throws(HapticsError) {
        let type = try event.required("EventType")
        let word = try type.text()
        switch word {
        case "HapticTransient":
            var transient = try parameters(of: event, time: try time(event))
            transient.kind = .transient
            append(transient, event)
        case "HapticContinuous":
            let place = try event.required("EventDuration")
            guard try place.number() > 0 else {
                throw HapticsError(.outOfRange, place.path, "more than 0 seconds, got \(place.value)")
            }
            let duration = try remarks.number(place, clampedTo: 0...Pattern.maximumTime)
            appendContinuous(try parameters(of: event, time: try time(event)), lasting: duration, event)
        case "AudioContinuous", "AudioCustom":
            hasSound = true
            remarks.add("\(event.path): \(word) is a sound and is not played")
        default:
            throw type.mismatch("one of HapticTransient HapticContinuous AudioContinuous AudioCustom")
        }
    }

    /// Appends a vibration. A vibration that is longer than the format allows is appended as several events without a
    /// gap.
    private mutating func appendContinuous(_ event: Event, lasting duration: Double, _ node: Node) {
        guard case .continuous(_, let envelope) = event.kind else { return }
        for start in stride(from: 0, to: duration, by: Event.maximumDuration) {
            var part = event
            part.time += start
            guard part.time <= Pattern.maximumTime else {
                return remarks.add(
                    "\(node.path): its last \(Node.text(duration - start)) s are not played, because they start after "
                        + "\(Node.text(Pattern.maximumTime)) s")
            }
            part.kind = .continuous(
                duration: min(Event.maximumDuration, duration - start), envelope: envelope)
            append(part, node)
        }
    }

    private mutating func append(_ event: Event, _ node: Node) {
        guard pattern.events.count < Pattern.maximumCount else {
            return remarks.add(
                "\(node.path): not played, because only the first \(Pattern.maximumCount) events are played")
        }
        pattern.events.append(event)
    }

    /// Creates a continuous event from its parameters. If a parameter appears several times, its last value is used.
    private mutating func parameters(of node: Node, time: Double) throws(HapticsError) -> Event {
        var event = Event(time: time, .transient, intensity: 1, sharpness: 0.5)
        var envelope = Envelope()
        for parameter in try node.member("EventParameters")?.elements(limit: 64) ?? [] {
            do throws(HapticsError) {
                let name = try parameter.required("ParameterID").text()
                let amount = try remarks.number(parameter.required("ParameterValue"), clampedTo: 0...1)
                switch name {
                case "HapticIntensity": event.intensity = amount
                case "HapticSharpness": event.sharpness = amount
                case "AttackTime": envelope.attack = amount
                case "DecayTime": envelope.decay = amount
                case "ReleaseTime": envelope.release = amount
                case "Sustained": envelope.isSustained = amount >= 0.5
                default: pass(over: name, parameter, Self.soundParameters)
                }
            } catch {
                remarks.add("\(error); ignored")
            }
        }
        if let position = try node.member("Position") {
            event.position = Position(degrees: Int(try remarks.number(position, clampedTo: 0...359)))
        }
        event.kind = .continuous(duration: 0, envelope: envelope)
        return event
    }

    // MARK: Changes

    private mutating func read(parameter: Node) throws(HapticsError) {
        let value = try parameter.required("ParameterValue")
        _ = try value.number()
        guard let control = try control(parameter) else { return }
        let amount = try remarks.number(value, clampedTo: control.range)
        pattern.changes.append(Change(control, time: try time(parameter), .step(amount)))
    }

    private mutating func read(curve: Node) throws(HapticsError) {
        let place = try curve.required("ParameterCurveControlPoints")
        let nodes = try place.elements(limit: Self.maximumEntries)
        guard let control = try control(curve) else { return }
        var points: [Change.Point] = []
        for node in nodes {
            let value = try remarks.number(node.required("ParameterValue"), clampedTo: control.range)
            var moment = try time(node)
            if let last = points.last?.time, moment < last {
                remarks.add("\(node.path).Time: \(moment), before the previous point, changed to \(last)")
                moment = last
            }
            points.append(Change.Point(time: moment, value: value))
        }
        guard !points.isEmpty else { throw HapticsError(.missing, place.path, "at least one point") }
        pattern.changes += Change.curves(control, time: try time(curve), points)
    }

    /// Returns the control that an entry changes; nil for a control of sounds or an unknown control.
    private mutating func control(_ node: Node) throws(HapticsError) -> Control? {
        let name = try node.required("ParameterID").text()
        if let control = Control(rawValue: name) { return control }
        pass(over: name, node, Self.soundControls)
        return nil
    }

    private mutating func pass(over name: String, _ node: Node, _ sounds: Set<String>) {
        remarks.add(
            sounds.contains(name)
                ? "\(node.path): \(name) is for sounds and is not played"
                : "\(node.path): \(name.count <= 60 ? name : "a long name") is unknown and ignored")
    }

    private mutating func time(_ node: Node) throws(HapticsError) -> Double {
        guard let time = try node.member("Time") else { return 0 }
        return try remarks.number(time, clampedTo: 0...Pattern.maximumTime)
    }
}

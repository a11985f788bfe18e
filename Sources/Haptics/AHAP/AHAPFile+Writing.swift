public import JSON

extension AHAPFile {
    /// Returns a pattern in the structure of an AHAP file: events first, then changes, each in their order.
    public static func value(of pattern: Pattern) -> JSON.Value {
        var file: JSON.Object = ["Version": .number(version)]
        if let metadata = pattern.metadata { file["Metadata"] = .object(metadata) }
        file["Pattern"] = .array(
            pattern.events.map { ["Event": value(of: $0)] } + pattern.changes.map { value(of: $0) })
        return .object(file)
    }

    private static func value(of event: Event) -> JSON.Value {
        var object: JSON.Object = ["Time": .number(event.time)]
        var parameters = [
            parameter("HapticIntensity", event.intensity), parameter("HapticSharpness", event.sharpness),
        ]
        switch event.kind {
        case .transient: object["EventType"] = "HapticTransient"
        case .continuous(let duration, let envelope):
            object["EventType"] = "HapticContinuous"
            object["EventDuration"] = .number(duration)
            if let attack = envelope.attack { parameters.append(parameter("AttackTime", attack)) }
            if let decay = envelope.decay { parameters.append(parameter("DecayTime", decay)) }
            if let release = envelope.release { parameters.append(parameter("ReleaseTime", release)) }
            if let sustained = envelope.isSustained {
                parameters.append(parameter("Sustained", sustained ? 1 : 0))
            }
        }
        object["EventParameters"] = .array(parameters)
        if let position = event.position { object["Position"] = .integer(position.degrees) }
        return .object(object)
    }

    private static func parameter(_ name: String, _ value: Double) -> JSON.Value {
        ["ParameterID": .string(name), "ParameterValue": .number(value)]
    }

    private static func value(of change: Change) -> JSON.Value {
        let name = JSON.Value.string(change.control.rawValue)
        switch change.shape {
        case .step(let value):
            return [
                "Parameter": [
                    "ParameterID": name, "Time": .number(change.time), "ParameterValue": .number(value),
                ]
            ]
        case .curve(let points):
            return [
                "ParameterCurve": [
                    "ParameterID": name, "Time": .number(change.time),
                    "ParameterCurveControlPoints": .array(
                        points.map { ["Time": .number($0.time), "ParameterValue": .number($0.value)] }),
                ]
            ]
        }
    }
}

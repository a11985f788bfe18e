package import DeviceKit
package import JSON

/// Describes the messages of a device as gestures: what it reports, and what that matches.
package struct GestureTrace {
    private let family: GesturedFamily
    private var layer: String?

    /// Creates a trace; nil for a family without gesture files.
    package init?(_ family: any DeviceFamily) {
        guard let family = family as? GesturedFamily else { return nil }
        self.family = family
    }

    /// The features whose messages are described.
    package var features: [String] {
        family.inputs.features + [GesturedFamily.action, GesturedFamily.layer]
    }

    /// Describes a message; nil if it shows nothing new.
    package mutating func line(_ feature: String, _ value: JSON.Value) -> String? {
        switch feature {
        case GesturedFamily.layer:
            layer = value.string
            return layer.map { "layer \($0)" }
        case GesturedFamily.action:
            guard let action = value["action"]?.string else { return nil }
            let inputs = value["inputs"]?.array?.compactMap(\.string) ?? []
            return "  -> \(action) (\(inputs.joined(separator: ", ")))"
        default:
            guard let input = family.inputs.input(feature, value) else { return nil }
            guard let layer else { return input }
            let gestures = family.maps.flatMap(\.map.layers).filter { $0.name == layer }
                .flatMap(\.gestures)
            let isKnown = gestures.contains { $0.inputs.contains(input) }
            return isKnown ? input : "\(input) (in no gesture of the layer \(layer))"
        }
    }
}

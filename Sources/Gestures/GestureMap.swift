/// The gestures of a file: sequences of inputs in layers, and what they mean.
package struct GestureMap: Hashable, Sendable {
    /// A sequence of inputs, and what it means.
    package struct Gesture: Hashable, Sendable {
        /// The inputs in order, such as `tapped thumb+index`; at least one.
        package var inputs: [String]
        /// The name of the action; nil for a gesture that only changes the layer.
        package var action: String?
        /// The layer that applies afterwards; nil for the same layer.
        package var layer: String?

        /// Creates a gesture.
        package init(_ inputs: [String], action: String? = nil, layer: String? = nil) {
            self.inputs = inputs
            self.action = action
            self.layer = layer
        }
    }

    /// Gestures that apply together.
    package struct Layer: Hashable, Sendable {
        /// The name.
        package var name: String
        /// The gestures; no two have the same inputs.
        package var gestures: [Gesture]

        /// Creates a layer.
        package init(_ name: String, _ gestures: [Gesture]) {
            self.name = name
            self.gestures = gestures
        }
    }

    /// The layers; the first one applies on a new link.
    package var layers: [Layer]
    /// The longest time between two inputs of a sequence.
    package var within: Duration

    /// Creates a map.
    package init(_ layers: [Layer], within: Duration) {
        self.layers = layers
        self.within = within
    }

    /// The names of all actions, in the order of the file.
    package var actions: [String] {
        var actions: [String] = []
        for gesture in layers.flatMap(\.gestures) {
            if let action = gesture.action, !actions.contains(action) { actions.append(action) }
        }
        return actions
    }
}

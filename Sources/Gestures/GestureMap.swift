package import DeviceKit

/// The gestures of a file: sequences of inputs and their actions, in layers.
package struct GestureMap: Hashable, Sendable {
    /// A sequence of inputs, the action that it triggers, and the layer that applies after it.
    package struct Gesture: Hashable, Sendable {
        /// The inputs in order, such as `tapped thumb+index`; at least one.
        package var inputs: [String]
        /// The name of the action; nil for a gesture that only changes the layer.
        package var action: String?
        /// The layer that applies after the gesture; nil if the gesture does not change the layer.
        package var layer: String?

        package init(_ inputs: [String], action: String? = nil, layer: String? = nil) {
            self.inputs = inputs
            self.action = action
            self.layer = layer
        }
    }

    /// A set of gestures that are recognized at the same time. One layer applies at a time.
    package struct Layer: Hashable, Sendable {
        package var name: String
        /// The gestures; no two gestures have the same inputs.
        package var gestures: [Gesture]

        package init(_ name: String, _ gestures: [Gesture]) {
            self.name = name
            self.gestures = gestures
        }
    }

    /// The commands that each action sends, by its name.
    package var commands: [String: [DeviceCommand]] = [:]
    /// The layers; the first layer applies on a new link.
    package var layers: [Layer]
    /// The maximum time between two inputs of one gesture.
    package var within: Duration

    package init(_ layers: [Layer], within: Duration, commands: [String: [DeviceCommand]] = [:]) {
        self.commands = commands
        self.layers = layers
        self.within = within
    }

    /// No gestures.
    static let empty = GestureMap([Layer(GesturedFamily.none, [])], within: .zero)

    /// The names of all actions, in the order of the file.
    package var actions: [String] {
        var actions: [String] = []
        for gesture in layers.flatMap(\.gestures) {
            if let action = gesture.action, !actions.contains(action) { actions.append(action) }
        }
        return actions
    }
}

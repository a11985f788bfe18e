/// Finds gestures in a sequence of inputs.
///
/// If several gestures match, the longest gesture is found. An input that can be part of a longer gesture therefore
/// waits for the next input, or until the time limit is over. Other inputs are resolved immediately. Inputs that belong
/// to no gesture are dropped.
package struct GestureMatcher: Hashable, Sendable {
    /// A gesture that the user made, as found in the inputs.
    package struct Match: Hashable, Sendable {
        /// The gesture that was found.
        package var gesture: GestureMap.Gesture
        /// The layer in which the gesture was made.
        package var layer: String
    }

    private let map: GestureMap
    /// The index of the current layer.
    private var index = 0
    /// The inputs that wait, because they can be the start of a longer gesture.
    private var pending: [String] = []
    /// The time at which the inputs that wait are resolved; nil if no inputs wait.
    package private(set) var deadline: Duration?

    package init(_ map: GestureMap) { self.map = map }

    /// The name of the current layer.
    package var layer: String { map.layers[index].name }

    /// Handles an input.
    ///
    /// - Returns: The gestures that are complete, in order.
    package mutating func take(_ input: String, at now: Duration) -> [Match] {
        var matches = expire(at: now)
        pending.append(input)
        matches += resolve()
        deadline = pending.isEmpty ? nil : now + map.within
        return matches
    }

    /// Resolves the inputs that wait, if their time limit is over.
    ///
    /// - Returns: The gestures that are complete, in order.
    package mutating func expire(at now: Duration) -> [Match] {
        guard let deadline, now >= deadline else { return [] }
        self.deadline = nil
        return resolve(isOver: true)
    }

    /// Drops the inputs that wait.
    package mutating func clear() { (pending, deadline) = ([], nil) }

    private mutating func resolve(isOver: Bool = false) -> [Match] {
        var matches: [Match] = []
        while !pending.isEmpty {
            let gestures = map.layers[index].gestures
            let isOpen = gestures.contains {
                $0.inputs.count > pending.count && $0.inputs.starts(with: pending)
            }
            if isOpen, !isOver { break }
            let longest = gestures.filter { pending.starts(with: $0.inputs) }
                .max { $0.inputs.count < $1.inputs.count }
            guard let longest else {
                pending.removeFirst()
                continue
            }
            pending.removeFirst(longest.inputs.count)
            matches.append(Match(gesture: longest, layer: layer))
            if let next = longest.layer, let found = map.layers.firstIndex(where: { $0.name == next }) {
                index = found
            }
        }
        return matches
    }
}

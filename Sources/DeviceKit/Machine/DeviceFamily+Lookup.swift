extension DeviceFamily {
    /// The feature of a name, or nil.
    public func feature(_ name: String) -> Feature? { features.first { $0.name == name } }
}

extension DeviceMachine {
    /// Takes one input and returns what is to be done, as tests and simulations use it.
    public mutating func effects(of input: Input, at now: Duration = .zero) -> [Effect] {
        var effects = Effects()
        handle(input, at: now, effects: &effects)
        return effects.list
    }
}

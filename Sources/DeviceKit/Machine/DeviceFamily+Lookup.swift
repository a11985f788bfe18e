extension DeviceFamily {
    /// Returns the feature with a name; nil if there is none.
    public func feature(_ name: String) -> Feature? { features.first { $0.name == name } }

    /// Accepts every command of a group, like a harmless device.
    public func takesFromGroup(_ feature: String, _ arguments: Arguments) -> Bool { true }
}

extension DeviceMachine {
    /// Does nothing, the default for most families.
    public mutating func stageChanged(to stage: LinkStage, at now: Duration, effects: inout Effects) {}

    /// A stop that the device accepted is obeyed.
    public var isStopCertain: Bool { true }

    /// False: most devices have no command for their power.
    public var hasPower: Bool { false }

    /// Handles one input and returns its effects, for tests and simulations.
    public mutating func effects(of input: Input, at now: Duration = .zero) -> [Effect] {
        var effects = Effects()
        handle(input, at: now, effects: &effects)
        return effects.list
    }
}

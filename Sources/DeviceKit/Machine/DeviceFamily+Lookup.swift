extension DeviceFamily {
    /// The feature of a name, or nil.
    public func feature(_ name: String) -> Feature? { features.first { $0.name == name } }

    /// Takes every command from a group, as a harmless device does.
    public func takesFromGroup(_ feature: String, _ arguments: Arguments) -> Bool { true }
}

extension DeviceMachine {
    /// Says nothing of it, as most families.
    public mutating func stageChanged(to stage: LinkStage, at now: Duration, effects: inout Effects) {}

    /// A stop that the device took is obeyed.
    public var isStopCertain: Bool { true }

    /// Most devices have no command for their power.
    public var hasPower: Bool { false }

    /// Takes one input and returns what is to be done, as tests and simulations use it.
    public mutating func effects(of input: Input, at now: Duration = .zero) -> [Effect] {
        var effects = Effects()
        handle(input, at: now, effects: &effects)
        return effects.list
    }
}

import Bluetooth

extension DeviceFamily {
    /// Returns the feature with a name; nil if there is none.
    public func feature(_ name: String) -> Feature? { features.first { $0.name == name } }

    /// Whether such a device can injure people.
    public var isHazardous: Bool {
        motionLimits([:]) != nil || requirements.isSafetyCritical
            || features.contains { $0.command?.traits.contains(.hazardous) ?? false }
    }

    /// True by default: a harmless device accepts every command that was sent to a group.
    public func takesFromGroup(_ feature: String, _ arguments: Arguments) -> Bool { true }
}

extension DeviceMachine {
    /// Does nothing by default.
    public mutating func stageChanged(to stage: LinkStage, at now: Duration, effects: inout Effects) {}

    /// True by default: most devices are certain to obey a stop after they accept its writes.
    public var isStopCertain: Bool { true }

    /// False by default: most devices have no command that switches their power.
    public var hasPower: Bool { false }

    /// Handles one input and returns its effects, for tests and simulations.
    public mutating func effects(of input: Input, at now: Duration = .zero) -> [Effect] {
        var effects = Effects()
        handle(input, at: now, effects: &effects)
        return effects.list
    }
}

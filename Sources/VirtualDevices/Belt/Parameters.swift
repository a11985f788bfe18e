extension VirtualBelt {
    /// A setting of the belt: its current value, and its value after the next start.
    struct Setting<Value: Hashable & Sendable>: Hashable, Sendable {
        private(set) var current: Value
        private var stored: Value

        init(_ value: Value) {
            current = value
            stored = value
        }

        /// Changes the value, temporarily until power-off or permanently.
        mutating func set(_ value: Value, isStored: Bool = true) {
            current = value
            if isStored { stored = value }
        }

        /// Discards a temporary value, as the belt does at power-off.
        mutating func restart() { current = stored }
    }

    /// The parameters that a client can set.
    struct Parameters: Hashable, Sendable {
        var intensity: Setting<Int>
        var headingOffset: Setting<Int>
        var accuracySignal: Setting<UInt8>
        var buzzer = Setting<UInt8>(1)
        /// The front range: three 16-bit numbers and a byte. Only firmware 4, variant 4 has this parameter.
        var frontRange = Setting<[UInt8]>([0xE1, 0x00, 0xA0, 0x00, 0x2C, 0x01, 0x01])
        /// The interval between two orientation packets, in milliseconds.
        var orientationPeriod: Setting<Int>
        var pairingRequired: Setting<UInt8>

        init(_ choices: Choices) {
            intensity = Setting(choices.intensity)
            headingOffset = Setting(choices.headingOffset)
            accuracySignal = Setting(choices.accuracySignal)
            let (seconds, attoseconds) = choices.orientationPeriod.components
            orientationPeriod = Setting(Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
            pairingRequired = Setting(choices.pairing == .off ? 0 : 1)
        }

        mutating func restart() {
            intensity.restart()
            headingOffset.restart()
            accuracySignal.restart()
            buzzer.restart()
            frontRange.restart()
            orientationPeriod.restart()
            pairingRequired.restart()
        }
    }
}

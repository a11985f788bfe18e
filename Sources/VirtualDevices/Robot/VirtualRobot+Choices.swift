extension VirtualRobot {
    /// Properties that docs/protocols/robot.md leaves open, and properties that differ between robots.
    public struct Choices: Hashable, Sendable {
        /// The part of the name after `ESP32_BLE`.
        public var nameSuffix = ""
        /// What a read returns before the first write.
        public var initialValue: [UInt8] = []
        /// How long the firmware is busy cutting the power after a disconnect.
        public var block: Duration = .seconds(2)
        /// When the robot advertises again after a disconnect.
        public var advertises = Advertising.atOnce
        /// The initial heading, in degrees. Reported poses are relative to this heading.
        public var heading = 0
        /// The maximum speed, in meters per second.
        public var topSpeed = 2.0
        /// The maximum turn rate, in degrees per second.
        public var topTurn = 360.0

        /// Creates the default choices.
        public init() {}

        /// When the robot advertises again after a disconnect.
        public enum Advertising: String, Hashable, Sendable, CaseIterable {
            /// The robot advertises again immediately, while the firmware is still cutting the power.
            case atOnce = "at_once"
            /// The robot advertises again after the firmware has cut the power.
            case afterBlock = "after_block"
        }

        /// Reads the choices for a robot from a scenario file. Choices whose key is absent keep their default.
        init(_ reader: MappingReader?) throws(ScenarioError) {
            self.init()
            guard var reader else { return }
            nameSuffix =
                try reader.scalar("name_suffix", expected: "at most 18 characters of ASCII") { text in
                    text.utf8.count <= 18 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
                        ? text : nil
                } ?? nameSuffix
            initialValue = try reader.bytes("initial_value", count: 1...20) ?? initialValue
            block = try reader.duration("block", from: .milliseconds(1)) ?? block
            advertises = try reader.option("advertises", Advertising.self) ?? advertises
            heading = try reader.integer("heading", in: 0...359) ?? heading
            topSpeed = try reader.number("top_speed", in: 0.01...100) ?? topSpeed
            topTurn = try reader.number("top_turn", in: 1...10_000) ?? topTurn
            try reader.finish()
        }
    }
}

extension VirtualRobot {
    /// What docs/protocols/robot.md leaves open, and what is a matter of the single robot.
    public struct Choices: Hashable, Sendable {
        /// What follows `ESP32_BLE` in its name.
        public var nameSuffix = ""
        /// What a read gives before the first write.
        public var initialValue: [UInt8] = []
        /// For how long a disconnect keeps the firmware busy cutting the power.
        public var block: Duration = .seconds(2)
        /// From when on it is heard again after a disconnect.
        public var advertises = Advertising.atOnce
        /// Where it faces at its start, in degrees: only the pose counts from there.
        public var heading = 0
        /// How fast it drives with all that its wheels can do, in metres a second.
        public var topSpeed = 2.0
        /// How fast it turns with all that its wheels can do, in degrees a second.
        public var topTurn = 360.0

        /// Makes the default choices.
        public init() {}

        /// When the robot is heard again after a disconnect.
        public enum Advertising: String, Hashable, Sendable, CaseIterable {
            /// While it still cuts the power.
            case atOnce = "at_once"
            /// When it has.
            case afterBlock = "after_block"
        }

        /// Reads the choices of a scenario file; what is not there keeps its default.
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

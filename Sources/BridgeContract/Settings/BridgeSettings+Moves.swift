extension BridgeSettings {
    /// When a connected device moves to another host.
    public struct Moves: Hashable, Sendable {
        /// How much better the other host must receive the device, in dB. On a weak link, half of it is sufficient.
        public var margin = 10
        /// How long the other host must receive it better. On a weak link, its second offer is sufficient.
        public var time = Duration.seconds(30)
        /// The signal strength below which a link is weak, in dBm.
        public var weak = -85
        /// The maximum number of moves of a device within an hour; 0 if devices do not move.
        public var perHour = 4

        /// Creates the default values.
        public init() {}
    }
}

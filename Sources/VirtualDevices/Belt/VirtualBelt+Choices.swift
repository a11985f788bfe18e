extension VirtualBelt {
    /// What nobody outside its makers knows of a belt, or what differs between belts.
    public struct Choices: Hashable, Sendable {
        /// What every belt's name begins with.
        public static let namePrefix = "naviGuertel"
        /// What follows in the name.
        public var nameSuffix = "-sim"
        /// The value of the firmware information: version (little-endian), variant, and whatever follows.
        public var firmware: [UInt8] = [0x34, 0x00, 0x00]
        /// Whether a client must bond, and when the belt lets it.
        public var pairing: Pairing = .off
        /// Whether writable characteristics also offer the property write-without-response.
        public var offersWriteWithoutResponse = false

        /// Takes what the protocol document suggests.
        public init() {}

        /// How the belt deals with clients that have no bond.
        public enum Pairing: String, Hashable, Sendable, CaseIterable {
            /// It serves everyone and bonds with whoever asks.
            case off
            /// It serves bonded clients only and bonds with whoever asks.
            case anytime
            /// It serves bonded clients only and bonds while the wearer has put it into pairing mode.
            case mode
        }
    }
}

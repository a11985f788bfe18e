import Bluetooth

extension VirtualTap.Choices {
    /// The products of the maker that can be simulated.
    public enum Model: String, Hashable, Sendable, CaseIterable {
        /// Tap Strap: sensors at five fingers, no motion sensor at the thumb.
        case strap
        /// Tap Strap 2: sensors at five fingers, a motion sensor at the thumb, air gestures.
        case strap2
        /// TapXR: a camera, and a motion sensor in the band.
        case xr

        /// The default hardware revision.
        public var hardware: String {
            switch self {
            case .strap: "3.2"
            case .strap2: "3.3.0"
            case .xr: "4.4"
            }
        }

        /// The default firmware revision, which supports all features.
        public var firmware: String { self == .xr ? "3.5.24" : "2.4.5" }
        var hasFingers: Bool { self != .xr }
        var hasMotion: Bool { self != .strap }
        /// The product's name in sentences.
        var title: String { self == .xr ? "TapXR" : self == .strap ? "Tap Strap" : "Tap Strap 2" }
    }

    /// Which attributes require an encrypted connection.
    public enum Encryption: String, Hashable, Sendable, CaseIterable {
        /// Every characteristic requires encryption.
        case all
        /// Device information, battery and keyboard require encryption.
        case standard
        /// No attribute requires encryption.
        case none

        func covers(service: Bluetooth.UUID) -> Bool {
            switch self {
            case .all: true
            case .standard:
                service != VirtualTap.Attribute.tap && service != VirtualTap.Attribute.uart
            case .none: false
            }
        }
    }

    /// When the device accepts a bond.
    public enum Pairing: String, Hashable, Sendable, CaseIterable {
        /// The TAP accepts pairing at any time, from every host.
        case anytime
        /// The TAP accepts pairing only while the wearer has enabled pairing.
        case mode
    }

    /// Whether mode commands can be written with response, without response, or both.
    public enum CommandWrites: String, Hashable, Sendable, CaseIterable {
        /// The TAP accepts mode commands with and without response.
        case both
        /// The TAP accepts mode commands with response only.
        case request
        /// The TAP accepts mode commands without response only.
        case command

        var properties: CharacteristicProperties {
            switch self {
            case .both: [.write, .writeWithoutResponse]
            case .request: .write
            case .command: .writeWithoutResponse
            }
        }
    }

    /// Whether the device has the framed protocol instead of the classic protocol, in addition to it, or not at all.
    public enum Framed: String, Hashable, Sendable, CaseIterable {
        /// The device lacks the characteristics of the framed protocol.
        case off
        /// The device has the characteristics of both protocols.
        case beside
        /// The device has the characteristics of the framed protocol only.
        case only
    }

    /// What the device does with a command whose effect on real devices is unknown.
    public enum Uncertain: String, Hashable, Sendable, CaseIterable {
        /// The device carries the command out as far as possible.
        case applied
        /// The device ignores the command.
        case ignored
    }

    /// Whether raw frames end with zeros.
    public enum Padding: String, Hashable, Sendable, CaseIterable {
        /// Every frame ends with zeros.
        case padded
        /// No frame ends with zeros.
        case unpadded
        /// Every second frame ends with zeros.
        case mixed
    }
}

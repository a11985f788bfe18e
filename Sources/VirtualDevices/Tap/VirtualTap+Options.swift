import Bluetooth

extension VirtualTap.Choices {
    /// The products.
    public enum Model: String, Hashable, Sendable, CaseIterable {
        /// Tap Strap: five fingers, no motion of the thumb.
        case strap
        /// Tap Strap 2: five fingers, the thumb's motion, air gestures.
        case strap2
        /// TapXR: a camera and the band's motion.
        case xr

        /// The hardware revision that it has unless a choice says another.
        public var hardware: String {
            switch self {
            case .strap: "3.2"
            case .strap2: "3.3.0"
            case .xr: "4.4"
            }
        }

        /// The firmware revision that it has unless a choice says another: one that knows all its features.
        public var firmware: String { self == .xr ? "3.5.24" : "2.4.5" }
        var hasFingers: Bool { self != .xr }
        var hasMotion: Bool { self != .strap }
        /// The product's name in sentences.
        var title: String { self == .xr ? "TapXR" : self == .strap ? "Tap Strap" : "Tap Strap 2" }
    }

    /// What needs an encrypted link.
    public enum Encryption: String, Hashable, Sendable, CaseIterable {
        /// Every characteristic.
        case all
        /// Device information, battery and keyboard.
        case standard
        /// Nothing.
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

    /// When it bonds.
    public enum Pairing: String, Hashable, Sendable, CaseIterable {
        /// With every host that asks.
        case anytime
        /// Only while its wearer has made it ready to pair.
        case mode
    }

    /// How commands of mode can be written.
    public enum CommandWrites: String, Hashable, Sendable, CaseIterable {
        /// With and without response.
        case both
        /// With response only.
        case request
        /// Without response only.
        case command

        var properties: CharacteristicProperties {
            switch self {
            case .both: [.write, .writeWithoutResponse]
            case .request: .write
            case .command: .writeWithoutResponse
            }
        }
    }

    /// Whether it speaks the framed protocol.
    public enum Framed: String, Hashable, Sendable, CaseIterable {
        /// It has not the characteristics of that protocol.
        case off
        /// It has them beside those of the classic protocol.
        case beside
        /// It has them instead.
        case only
    }

    /// What becomes of a command whose effect is unknown.
    public enum Uncertain: String, Hashable, Sendable, CaseIterable {
        /// It is carried out as far as it goes.
        case applied
        /// Nothing happens.
        case ignored
    }

    /// Whether zeros end a raw frame.
    public enum Padding: String, Hashable, Sendable, CaseIterable {
        /// Always.
        case padded
        /// Never.
        case unpadded
        /// Every other time.
        case mixed
    }
}

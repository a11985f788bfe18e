import DeviceKit

/// What a TAP with the framed protocol can be told to sense and say, each by itself; the raw value is the code on the
/// wire.
enum TapSwitch: UInt8, CaseIterable, Hashable, Sendable {
    /// The raw values of the thumb's or the band's sensors.
    case raw = 0
    /// Taps and gestures.
    case detection = 1
    /// Mouse motion.
    case motion = 2
    /// Reserved: the maker's SDK says that it is not implemented yet.
    case triggers = 3
    /// The gesture that sends the TAP to standby and back.
    case standbyGesture = 4

    /// The key in topics.
    var name: String {
        switch self {
        case .raw: "raw"
        case .detection: "detection"
        case .motion: "motion"
        case .triggers: "triggers"
        case .standbyGesture: "standby_gesture"
        }
    }
}

/// When the camera looks; the raw value is the name in topics, the place the code on the wire.
enum TapVisionMode: String, Named {
    case trigger
    case streamOnTrigger = "stream_on_trigger"
    case stream
}

/// What the camera looks for; the raw value is the name in topics, the place the code on the wire.
enum TapVisionModel: String, Named {
    case tapping
    case airGesture = "air_gesture"
}

/// A gesture of the framed protocol; the raw value is the name in topics, the place behind 100 the code on the wire.
///
/// The maker calls the fingers B to E, pinched with the thumb, A.
enum TapAirGesture: String, Named {
    /// The hand is relaxed, which ends what was held.
    case nothing = "none"
    case left, right, up, down
    case thumbIndex = "thumb_index"
    case thumbMiddle = "thumb_middle"
    case thumbRing = "thumb_ring"
    case thumbPinky = "thumb_pinky"
    case fist
    case thumbIndexHold = "thumb_index_hold"
    case thumbMiddleHold = "thumb_middle_hold"
    case thumbRingHold = "thumb_ring_hold"
    case thumbPinkyHold = "thumb_pinky_hold"
    case fistHold = "fist_hold"
}

/// A name whose place among all, counted from a first code, is its code on the wire.
protocol TapPlaced: Named {
    static var firstCode: UInt8 { get }
}

extension TapPlaced {
    /// The code on the wire.
    var code: UInt8 {
        Self.firstCode + UInt8(Self.allCases.distance(from: Self.allCases.startIndex, to: place))
    }

    private var place: Self.AllCases.Index { Self.allCases.firstIndex(of: self) ?? Self.allCases.startIndex }

    /// Finds the name of a code; nil for one that no source knows.
    init?(code: UInt8) {
        guard let found = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = found
    }
}

extension TapVisionMode: TapPlaced {
    static let firstCode: UInt8 = 0
}

extension TapVisionModel: TapPlaced {
    static let firstCode: UInt8 = 0
}

extension TapAirGesture: TapPlaced {
    static let firstCode: UInt8 = 100
}

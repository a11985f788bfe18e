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

/// When the camera looks; the raw value is the name in topics.
enum TapVisionMode: String, TapCoded {
    case trigger
    case streamOnTrigger = "stream_on_trigger"
    case stream

    var code: UInt8 {
        switch self {
        case .trigger: 0
        case .streamOnTrigger: 1
        case .stream: 2
        }
    }
}

/// What the camera looks for; the raw value is the name in topics.
enum TapVisionModel: String, TapCoded {
    case tapping
    case airGesture = "air_gesture"

    var code: UInt8 {
        switch self {
        case .tapping: 0
        case .airGesture: 1
        }
    }
}

/// A gesture of the framed protocol; the raw value is the name in topics.
///
/// The maker calls the fingers B to E, pinched with the thumb, A.
enum TapAirGesture: String, TapCoded {
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

    var code: UInt8 {
        switch self {
        case .nothing: 100
        case .left: 101
        case .right: 102
        case .up: 103
        case .down: 104
        case .thumbIndex: 105
        case .thumbMiddle: 106
        case .thumbRing: 107
        case .thumbPinky: 108
        case .fist: 109
        case .thumbIndexHold: 110
        case .thumbMiddleHold: 111
        case .thumbRingHold: 112
        case .thumbPinkyHold: 113
        case .fistHold: 114
        }
    }
}

/// A name that has a code on the wire.
protocol TapCoded: Named {
    /// The code on the wire.
    var code: UInt8 { get }
}

extension TapCoded {
    /// Finds the name of a code; nil for one that no source knows.
    init?(code: UInt8) {
        guard let found = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = found
    }
}

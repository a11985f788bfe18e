import DeviceKit

/// The functions of a TAP with the framed protocol that are switched on and off individually. The raw value is the
/// code of the protocol.
enum TapSwitch: UInt8, CaseIterable, Hashable, Sendable {
    /// The raw values of the sensors on the thumb or the band.
    case raw = 0
    /// Taps and gestures.
    case detection = 1
    /// Mouse motion.
    case motion = 2
    /// Reserved: the maker's SDK does not implement it yet.
    case triggers = 3
    /// The gesture that switches standby on and off.
    case standbyGesture = 4

    /// The name of the function in topics and payloads.
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

/// When the camera of a TapXR is active. The raw value is the name in topics.
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

/// The model that the camera uses for recognition. The raw value is the name in topics.
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

/// A gesture of the framed protocol. The raw value is the name in topics.
///
/// The maker's SDK names the fingers B to E, pinched with the thumb, A.
enum TapAirGesture: String, TapCoded {
    /// The hand is relaxed, which ends a held gesture.
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

/// An enumeration whose names each have a code in the protocol.
protocol TapCoded: Named {
    /// The code of the protocol.
    var code: UInt8 { get }
}

extension TapCoded {
    /// Returns the name of a code; nil for a code that no source documents.
    init?(code: UInt8) {
        guard let found = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = found
    }
}

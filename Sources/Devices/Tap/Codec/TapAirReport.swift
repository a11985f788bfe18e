import DeviceKit

/// A notification of `c3ff000a`: a gesture, the hand as a TapXR sees it, or the air-mouse state.
enum TapAirReport: Hashable, Sendable {
    case gesture(TapGesture, code: UInt8)
    case hand(TapHand)
    /// Whether the TAP is in the air-gesture state. Standby and the two optical states do not count.
    case state(isInAir: Bool)
    /// A code that no source documents.
    case unknown(UInt8)

    private static let stateMark: UInt8 = 0x14

    /// The bytes that request the air-mouse state.
    static let stateRequest: [UInt8] = [0x0D]

    /// Decodes a value; nil for an empty value, and for a state without its second byte.
    init?(_ bytes: [UInt8]) {
        guard let code = bytes.first else { return nil }
        if code == Self.stateMark {
            guard bytes.count >= 2 else { return nil }
            self = .state(isInAir: bytes[1] == 1)
        } else if let hand = TapHand(code: code) {
            self = .hand(hand)
        } else if let gesture = TapGesture(code: code) {
            self = .gesture(gesture, code: code)
        } else {
            self = .unknown(code)
        }
    }
}

/// A gesture in the air. The raw value is the name in topics.
enum TapGesture: String, Named {
    case nothing = "none"
    case general
    case oneFingerUp = "one_finger_up"
    case twoFingersUp = "two_fingers_up"
    case oneFingerDown = "one_finger_down"
    case twoFingersDown = "two_fingers_down"
    case oneFingerLeft = "one_finger_left"
    case twoFingersLeft = "two_fingers_left"
    case oneFingerRight = "one_finger_right"
    case twoFingersRight = "two_fingers_right"
    case indexToThumb = "index_to_thumb"
    case middleToThumb = "middle_to_thumb"

    /// The code of the gesture in the protocol (iOS, Android).
    var code: UInt8 {
        switch self {
        case .nothing: 0
        case .general: 1
        case .oneFingerUp: 2
        case .twoFingersUp: 3
        case .oneFingerDown: 4
        case .twoFingersDown: 5
        case .oneFingerLeft: 6
        case .twoFingersLeft: 7
        case .oneFingerRight: 8
        case .twoFingersRight: 9
        case .indexToThumb: 10
        case .middleToThumb: 11
        }
    }

    /// Returns the gesture of a code. tap-python-sdk assigns 12 and 14 to the two touches; both codes are accepted.
    init?(code: UInt8) {
        switch code {
        case 12: self = .indexToThumb
        case 14: self = .middleToThumb
        default:
            guard let gesture = Self.allCases.first(where: { $0.code == code }) else { return nil }
            self = gesture
        }
    }

    /// Returns the touch that a combination of the tap service represents while the air mouse is on.
    static func touch(ofCombination combination: UInt8) -> TapGesture? {
        switch combination {
        case 2: .indexToThumb
        case 4: .middleToThumb
        default: nil
        }
    }
}

/// The hand as a TapXR sees it. The raw value is the name in topics.
enum TapHand: String, Named {
    case open
    case thumbIndex = "thumb_index"
    case thumbMiddle = "thumb_middle"
    case thumbRing = "thumb_ring"
    case thumbPinky = "thumb_pinky"
    case fist

    /// The code of the posture in the protocol.
    var code: UInt8 {
        switch self {
        case .open: 100
        case .thumbIndex: 101
        case .thumbMiddle: 102
        case .thumbRing: 103
        case .thumbPinky: 104
        case .fist: 105
        }
    }

    /// Returns the posture of a code.
    init?(code: UInt8) {
        guard let hand = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = hand
    }
}

import DeviceKit

/// What `c3ff000a` notifies: a gesture, a TapXR's hand, or the air-mouse state.
enum TapAirReport: Hashable, Sendable {
    case gesture(TapGesture, code: UInt8)
    case hand(TapHand)
    /// Whether it is in the air-gesture state: standby and the two optical states are not.
    case state(isInAir: Bool)
    /// A code that no source knows.
    case unknown(UInt8)

    private static let stateMark: UInt8 = 0x14

    /// The request that is answered by a state.
    static let stateRequest: [UInt8] = [0x0D]

    /// Decodes a value; nil for an empty one, and for a state that does not say which.
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

/// A gesture in the air; the raw value is the name in topics.
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

    /// The code on the wire (iOS, Android).
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

    /// Finds the gesture of a code. tap-python-sdk gives the two touches 12 and 14, which is taken alike.
    init?(code: UInt8) {
        switch code {
        case 12: self = .indexToThumb
        case 14: self = .middleToThumb
        default:
            guard let gesture = Self.allCases.first(where: { $0.code == code }) else { return nil }
            self = gesture
        }
    }

    /// The touch that a combination of the tap service stands for while the air mouse is on.
    static func touch(ofCombination combination: UInt8) -> TapGesture? {
        switch combination {
        case 2: .indexToThumb
        case 4: .middleToThumb
        default: nil
        }
    }
}

/// What a TapXR sees of the hand; the raw value is the name in topics.
enum TapHand: String, Named {
    case open
    case thumbIndex = "thumb_index"
    case thumbMiddle = "thumb_middle"
    case thumbRing = "thumb_ring"
    case thumbPinky = "thumb_pinky"
    case fist

    /// The code on the wire.
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

    /// Finds the posture of a code.
    init?(code: UInt8) {
        guard let hand = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = hand
    }
}

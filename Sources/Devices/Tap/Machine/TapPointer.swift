import DeviceKit

/// Converts the postures of a TapXR's hand to clicks, drags and drops, like the iOS SDK (`TAPXRGestures`).
///
/// A finger that touches the thumb presses when the filtered posture is reported a second time. If it is released
/// within ``clickTime``, the press is a click. Otherwise it is a drag, which ends in a drop.
struct TapPointer: Hashable, Sendable {
    /// An action of the hand. The raw value is the name in topics.
    enum Action: String, Named {
        case press, click, drag, drop
    }

    /// What a report about the hand means for the pointer.
    struct Event: Hashable, Sendable {
        var action: Action
        var finger: TapFinger
    }

    /// A press that lasts this long becomes a drag.
    static let clickTime = Duration.milliseconds(130)
    /// Without a motion report for this long, the speed of the hand counts as 0.
    static let restTime = Duration.milliseconds(100)

    private var posture = TapHand.open
    private var repetitions = 0
    private var pressed: TapFinger?
    private var isDragging = false

    /// Whether a press can become a drag.
    var mayDrag: Bool { pressed != nil && !isDragging }

    /// Handles the filtered posture of the hand. Postures other than open, index or middle on the thumb are ignored.
    mutating func take(_ hand: TapHand) -> [Event] {
        guard hand == .open || Self.finger(of: hand) != nil else { return [] }
        guard hand == posture else {
            (posture, repetitions) = (hand, 0)
            return hand == .open ? release() : []
        }
        repetitions += 1
        guard repetitions == 1, let finger = Self.finger(of: hand) else { return [] }
        // The hand can change from one finger on the thumb to the other finger without a report of an open hand in
        // between.
        let ended = release()
        pressed = finger
        return ended + [Event(action: .press, finger: finger)]
    }

    /// Turns a press into a drag, because the press has lasted for ``clickTime``.
    mutating func held() -> Event? {
        guard mayDrag, let pressed else { return nil }
        isDragging = true
        return Event(action: .drag, finger: pressed)
    }

    /// Ends the pointer without further reports: a drag ends in a drop, and a press is ignored.
    mutating func end() -> Event? {
        defer { self = TapPointer() }
        guard isDragging, let pressed else { return nil }
        return Event(action: .drop, finger: pressed)
    }

    private mutating func release() -> [Event] {
        guard let finger = pressed else { return [] }
        defer { (pressed, isDragging) = (nil, false) }
        return [Event(action: isDragging ? .drop : .click, finger: finger)]
    }

    private static func finger(of hand: TapHand) -> TapFinger? {
        switch hand {
        case .thumbIndex: .index
        case .thumbMiddle: .middle
        case .open, .thumbRing, .thumbPinky, .fist: nil
        }
    }
}

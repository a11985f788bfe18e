import DeviceKit

/// Makes clicks, drags and drops of a TapXR's hand, as the iOS SDK does (`TAPXRGestures`).
///
/// A finger that touches the thumb presses when the filtered hand says so a second time. Let go within ``clickTime`` it
/// was a click; held longer it is a drag, which ends in a drop.
struct TapPointer: Hashable, Sendable {
    /// What the hand did; the raw value is the name in topics.
    enum Action: String, Named {
        case press, click, drag, drop
    }

    /// What came of a word about the hand.
    struct Event: Hashable, Sendable {
        var action: Action
        var finger: TapFinger
    }

    /// Held for this long a press is a drag.
    static let clickTime = Duration.milliseconds(130)
    /// Without a word about motion for this long the hand is at rest.
    static let restTime = Duration.milliseconds(100)

    private var posture = TapHand.open
    private var repetitions = 0
    private var pressed: TapFinger?
    private var isDragging = false

    /// Whether a press may become a drag.
    var mayDrag: Bool { pressed != nil && !isDragging }

    /// Takes what counts of the hand by now. Postures other than open, index and middle on the thumb say nothing of it.
    mutating func take(_ hand: TapHand) -> [Event] {
        guard hand == .open || Self.finger(of: hand) != nil else { return [] }
        guard hand == posture else {
            (posture, repetitions) = (hand, 0)
            return hand == .open ? release() : []
        }
        repetitions += 1
        guard repetitions == 1, let finger = Self.finger(of: hand) else { return [] }
        // The other finger may follow without an open hand between.
        let ended = release()
        pressed = finger
        return ended + [Event(action: .press, finger: finger)]
    }

    /// The press was held so long that it is a drag.
    mutating func held() -> Event? {
        guard mayDrag, let pressed else { return nil }
        isDragging = true
        return Event(action: .drag, finger: pressed)
    }

    /// The hand is not heard of any more: a drag ends in a drop, and a press comes to nothing.
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

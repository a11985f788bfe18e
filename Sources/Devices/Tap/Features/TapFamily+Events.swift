import DeviceKit
import JSON

extension TapFamily {
    static let eventFeatures = [
        tapped.feature, keyboard.feature, moused.feature, gesture.feature, airGesture.feature,
        airMouse.feature, hand.feature, pointer.feature, raw.feature,
    ]

    static let tapped = FeatureHandle<Tapped, Never>(
        "tapped", "Fingers tapped. Not retained, since taps can reveal the typed text.",
        says: .event(
            [
                .field(
                    "combination", \.combination, .integer(1...31),
                    "The fingers as bits: thumb 1, index 2, middle 4, ring 8, pinky 16."),
                .field("fingers", \.fingers, .list(.choice, count: 1...5), "The fingers, thumb first."),
                .field(
                    "repeat", \.repetitions, .integer(1...3),
                    "The number of taps in a row; null if the firmware does not report it."),
                .field(
                    "shift", \.shift, .choice,
                    "The keyboard's shift; null if the firmware does not report it."),
                .field(
                    "switch", \.isSwitched, .boolean,
                    "Whether the keyboard's second layer is on; null if the firmware does not report it."),
            ],
            example: Tapped(TapReport(combination: 5, keyboard: .init(0)))),
        isPrivate: true,
        shown: { keys in
            [
                .happening(
                    "Tap", by: [keys.said(\.fingers)], verb: "tapped",
                    bits: keys.said(\.combination), icon: "gesture-tap",
                    when: .setting(publishesTapsKey))
            ]
        })

    static let keyboard = FeatureHandle<TapReport.Keyboard, Never>(
        "keyboard", "The keyboard's shift or second layer changed without a tap. Private like taps.",
        says: .event(
            [
                .field(
                    "shift", \.shift, .choice,
                    "The keyboard's shift; null for an unknown value."),
                .field("switch", \.isSwitched, .boolean, "Whether the keyboard's second layer is on."),
            ],
            example: TapReport.Keyboard(0x02)),
        isPrivate: true)

    static let moused = FeatureHandle<TapMouseReport, Never>(
        "moused", "The hand moved like a mouse.",
        says: .stream(
            [
                .field(
                    "velocity_x", \.velocityX, .integer(-32_768...32_767),
                    "The speed to the right; the unit is unknown."),
                .field(
                    "velocity_y", \.velocityY, .integer(-32_768...32_767),
                    "The speed down; the unit is unknown."),
                .field("is_mouse", \.isMouse, .boolean, "Whether the TAP is on a surface like a mouse."),
                .field(
                    "dt", \.dt, .integer(0...4_294_967_295),
                    "The time as the TAP sends it; the unit is unknown."),
                .optional(
                    "roll", \.roll, angle, unit: "°", "The roll angle, if the firmware reports it."),
                .optional("pitch", \.pitch, angle, unit: "°", "The pitch angle, if the firmware reports it."),
                .optional("yaw", \.yaw, angle, unit: "°", "The yaw angle, if the firmware reports it."),
            ],
            example: TapMouseReport(velocityX: 12, velocityY: -3, dt: 10, isMouse: true),
            alternatives: [
                TapMouseReport(
                    velocityX: 12, velocityY: -3, dt: 0, isMouse: false, roll: 10, pitch: 20, yaw: 30)
            ]))

    private static let angle: ValueKind<Int16> = .integer(-32_768...32_767)

    /// A gesture, with its code in the protocol.
    struct MadeGesture: Hashable, Sendable {
        var gesture: TapGesture
        var code: UInt8
    }

    static let gesture = FeatureHandle<MadeGesture, Never>(
        "gesture",
        "A gesture in the air; with the air mouse on, also the index or middle finger that touches the thumb.",
        says: .event(
            [
                .field("gesture", \.gesture, .choice, "The gesture."),
                .field("code", \.code, .integer(0...255), "The gesture's code in the TAP's SDKs."),
            ],
            example: MadeGesture(gesture: .oneFingerUp, code: 2)),
        shown: { keys in
            [.happening("Gesture", by: [keys.said(\.gesture)], verb: "made", icon: "gesture")]
        })

    /// A gesture of the framed protocol, with its code.
    struct MadeAirGesture: Hashable, Sendable {
        var gesture: TapAirGesture
        var code: UInt8
    }

    static let airGesture = FeatureHandle<MadeAirGesture, Never>(
        "air_gesture",
        "A gesture that a TAP with the framed protocol detects; none when the hand is relaxed again.",
        says: .event(
            [
                .field("gesture", \.gesture, .choice, "The gesture."),
                .field("code", \.code, .integer(100...114), "The gesture's code in the maker's SDK."),
            ],
            example: MadeAirGesture(gesture: .left, code: 101)))

    /// An action of the hand as a pointer, as it is published.
    struct Pointing: Hashable, Sendable {
        var action: TapPointer.Action
        var finger: TapFinger
        var velocityX: Int16 = 0
        var velocityY: Int16 = 0
    }

    static let pointer = FeatureHandle<Pointing, Never>(
        "pointer",
        "The pointer action of a TapXR's hand. A finger presses on the thumb: a click if it is released "
            + "at once, a drag if it is held, until it drops.",
        says: .event(
            [
                .field("action", \.action, .choice, "The action."),
                .field("finger", \.finger, .choice([.index, .middle]), "The finger on the thumb."),
                .field(
                    "velocity_x", \.velocityX, .integer(-32_768...32_767),
                    "The newest speed to the right; 0 if none was reported for 0.1 s."),
                .field(
                    "velocity_y", \.velocityY, .integer(-32_768...32_767),
                    "The newest speed down; 0 if none was reported for 0.1 s."),
            ],
            example: Pointing(action: .click, finger: .index)))

    static let airMouse = FeatureHandle<Bool, Never>(
        "air_mouse", "Whether the TAP is in its air-gesture state, in which two taps are touches.",
        says: .state(.boolean, example: true),
        shown: { _ in [.reading("Air mouse", icon: "mouse-variant")] })

    static let hand = FeatureHandle<TapHand, Never>(
        "hand", "The hand posture that a TapXR detects, by the majority of its last three reports.",
        says: .state(.choice, example: TapHand.thumbIndex),
        shown: { _ in [.reading("Hand", icon: "hand-back-left", hidden: true)] })
}

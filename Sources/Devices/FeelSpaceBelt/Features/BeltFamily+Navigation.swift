import DeviceKit
import JSON

extension BeltFamily {
    /// The arguments of `navigation`. A value of nil leaves the current value unchanged.
    struct NavigationCommand: Hashable, Sendable {
        /// The direction in whole degrees. A fraction is dropped, as in the maker's libraries.
        var direction: Int?
        var reference: BeltReference?
        var signal: BeltSignal?
        var state: BeltNavigation.State?
        /// Whether the command starts navigation that is stopped. Paused navigation stays paused in any case.
        var startsIfStopped = false
    }

    static let navigation = FeatureHandle<BeltNavigation, NavigationCommand>(
        "navigation", "Guides the wearer in a direction, across pauses and lost links.",
        says: .state(
            [
                .field("state", \.state, .choice, "The state: whether a direction is shown."),
                .field("direction", \.target.direction, .angle, unit: "degrees", "The direction to go."),
                .field(
                    "reference", \.target.reference, .choice, "The reference of the direction."),
                .field(
                    "signal", \.target.signal, .choice(BeltSignal.repeated),
                    "The signal that shows the direction."),
            ],
            example: {
                var navigation = BeltNavigation()
                (navigation.state, navigation.target) = (.navigating, .init(direction: 90))
                return navigation
            }()),
        takes: Taking(
            NavigationCommand(),
            [
                .field("direction", \.direction, .angle, unit: "degrees", "The direction to go."),
                .field(
                    "reference", \.reference, .choice,
                    "The reference of the direction; with a direction, magnetic if omitted."),
                .field(
                    "signal", \.signal, .choice(BeltSignal.repeated),
                    "The signal that shows the direction; with a direction, navigating if omitted."),
                .field(
                    "state", \.state, .choice,
                    "Starts or resumes, pauses, or stops, which clears direction and signal. If omitted, a stopped "
                        + "navigation stays stopped and a paused navigation stays paused, with the new direction."
                ),
                .field(
                    "start_if_stopped", \.startsIfStopped, .boolean,
                    "Whether a stopped navigation starts, as with a bare direction; the wearer's pause remains."
                ),
            ],
            shorthands: [
                .word("start", .init(state: .navigating)), .word("pause", .init(state: .paused)),
                .word("stop", .init(state: .stopped)),
                .completed(\.direction, .init(startsIfStopped: true)),
            ],
            rules: [.atLeastOne([\.direction, \.reference, \.signal, \.state])], traits: [.latest, .kept],
            example: .object(
                .init(direction: 90, reference: .magnetic, signal: .navigating, state: .navigating))),
        shown: { keys in
            [
                .control(
                    "Navigation",
                    of: Control(keys.taken(\.state), state: .init(field: keys.said(\.state))),
                    icon: "navigation-variant"),
                .control(
                    "Navigation direction",
                    of: Control(
                        keys.taken(\.direction),
                        state: .init(field: keys.said(\.target.direction), whenNull: 0)),
                    icon: "compass-rose"),
                .control(
                    "Navigation signal",
                    of: Control(
                        keys.taken(\.signal),
                        state: .init(field: keys.said(\.target.signal), whenNull: "navigating")),
                    icon: "vibrate"),
                .control(
                    "Navigation reference",
                    of: Control(
                        keys.taken(\.reference),
                        state: .init(field: keys.said(\.target.reference), whenNull: "magnetic")),
                    icon: "compass-outline", hidden: true),
            ]
        })
}

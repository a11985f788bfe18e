import DeviceKit
import JSON

extension BeltFamily {
    static let statusFeatures = [
        battery.feature, mode.feature, button.feature, home.feature, orientation.feature,
    ]

    static let battery = FeatureHandle<BeltBatteryStatus, Never>(
        "battery", "The battery level, power source and time left.",
        says: .state(
            [
                .field(
                    "level", \.roundedLevel, .number(0...100), unit: "%",
                    "The battery level in percent, 0 to 100."),
                .field("power", \.power, .choice, "The power source."),
                .field(
                    "remaining_s", \.remainingSeconds, .integer(0...368_634), unit: "s",
                    "The time to empty or, while charging, to full."),
                .field(
                    "current_ma", \.current, .integer(-32_768...32_767), unit: "mA",
                    "The current; the sign that means charging is unknown."),
                .field("voltage_mv", \.voltage, .integer(0...65_535), unit: "mV", "The voltage."),
            ],
            example: BeltBatteryStatus(.battery, level: 75.5, remaining: 25_920, current: -200)),
        shown: { keys in
            [
                .reading("Battery", of: keys.said(\.roundedLevel), meaning: .battery, purpose: .diagnosis),
                .reading(
                    "Power source", of: keys.said(\.power), purpose: .diagnosis, icon: "power-plug-battery"),
                .reading("Battery time left", of: keys.said(\.remainingSeconds), purpose: .diagnosis),
                .reading("Battery current", of: keys.said(\.current), purpose: .diagnosis, hidden: true),
                .reading("Battery voltage", of: keys.said(\.voltage), purpose: .diagnosis, hidden: true),
            ]
        })

    /// The arguments of `mode`.
    struct ModeCommand: Hashable, Sendable {
        var mode = BeltMode.wait
        var isConfirmed = false
    }

    /// The published mode: `unknown` while the belt is not connected, as in the makers' libraries.
    private static let reportedMode = ValueKind<BeltMode?>.choice(
        BeltMode.allCases.map { ($0.name, Optional($0)) } + [("unknown", nil)])

    static let mode = FeatureHandle<BeltMode?, ModeCommand>(
        "mode", "The belt's mode; unknown while it is not connected.",
        says: .state(reportedMode, example: BeltMode.app),
        takes: Taking(
            ModeCommand(),
            [
                .field("mode", \.mode, .choice, required: true, "The mode to enter."),
                .field(
                    "confirm", \.isConfirmed, .boolean,
                    "Must be true for calibration, which interrupts use by the wearer, and for standby, "
                        + "which switches it off."),
            ],
            shorthands: [.field(\.mode)],
            rules: [.when(\.mode, is: confirmedModes, .anyIs([\.isConfirmed], true))], example: .bare("app")),
        shown: { keys in
            [
                .reading("Current mode", icon: "state-machine"),
                .control(
                    "Mode", of: Control(keys.taken(\.mode), choices: unconfirmedModes),
                    icon: "state-machine"),
            ]
        })

    /// The modes that `mode` sets only if the sender confirms that the wearer's use of the belt may be interrupted.
    private static let confirmedModes = BeltMode.allCases.filter(\.needsConfirmation).map {
        JSON.Value.string($0.name)
    }

    private static let unconfirmedModes = BeltMode.allCases.filter { !$0.needsConfirmation }.map(\.name)

    static let button = FeatureHandle<BeltButtonPress, Never>(
        "button", "A button of the belt was pressed.",
        says: .event(
            [
                .field("button", \.button, .choice, "The button."),
                .field("press", \.length, .choice, "The kind of press."),
                .field("previous_mode", \.previousMode, .choice, "The mode before."),
                .field("mode", \.mode, .choice, "The mode after."),
            ],
            example: BeltButtonPress(.home, from: .wait, to: .wait)),
        shown: { keys in
            [
                .happening(
                    "Button", by: [keys.said(\.button), keys.said(\.length)], verb: "pressed",
                    meaning: .button)
            ]
        })

    /// A press of the home button, which the bridge publishes so that an application can react.
    struct HomeRequest: Hashable, Sendable {
        var isNavigating: Bool
    }

    static let home = FeatureHandle<HomeRequest, Never>(
        "home", "The home request: home was pressed, and the application must handle it.",
        says: .event(
            [.field("navigating", \.isNavigating, .boolean, "Whether navigation shows a direction now.")],
            example: HomeRequest(isNavigating: true)),
        shown: { _ in
            [.happening("Home request", verb: "requested", icon: "home-import-outline")]
        })
}

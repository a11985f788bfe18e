import DeviceKit
import JSON

extension BeltFamily {
    static let signalFeatures = [navigation.feature, notify.feature, signal.feature, sound.feature]

    /// What the command `notify` reports to the wearer.
    enum Notice: String, Named {
        case direction, warning
        case criticalWarning = "critical_warning"
        case destinationReached = "destination_reached"
        case battery
    }

    /// The arguments of `notify`.
    struct NotifyCommand: Hashable, Sendable {
        var kind = Notice.direction
        /// The direction in whole degrees.
        var direction: Int?
        var reference = BeltReference.magnetic
        var stopsNavigation = false
    }

    static let notify = FeatureHandle<Never, NotifyCommand>(
        "notify", "Shows a notice once, in addition to the belt's current vibration.",
        takes: Taking(
            NotifyCommand(),
            [
                .field("kind", \.kind, .choice, required: true, "The notice."),
                .field(
                    "direction", \.direction, .angle, unit: "degrees", "The direction, for kind direction."),
                .field("reference", \.reference, .choice, "The reference of the direction."),
                .field(
                    "stop_navigation", \.stopsNavigation, .boolean,
                    "Stops navigation first; only with destination_reached."),
            ],
            shorthands: [.field(\.kind)],
            rules: [.when(\.kind, is: [.string(Notice.direction.name)], .requires([\.direction]))],
            example: .object(NotifyCommand(direction: 90), also: [\.reference])),
        shown: { _ in
            func action(_ title: String, _ notice: Notice, _ icon: String) -> Presentation {
                .action("Notify \(title)", sends: .string(notice.name), icon: icon)
            }
            return [
                action("warning", .warning, "alert-outline"),
                action("critical warning", .criticalWarning, "alert"),
                action("destination reached", .destinationReached, "flag-checkered"),
                action("battery", .battery, "battery-heart-variant"),
            ]
        })

    static let signal = FeatureHandle<Never, OneArgument<BeltSystemSignal>>(
        "signal", "Plays one of the belt's own system signals.",
        takes: .one("signal", BeltSystemSignal.warning, .choice, "The signal.", example: "warning"),
        shown: { _ in
            func action(_ title: String, _ signal: BeltSystemSignal, _ icon: String) -> Presentation {
                .action("Signal \(title)", sends: .string(signal.name), icon: icon, hidden: true)
            }
            return [
                action("warning", .warning, "alert-outline"),
                action("destination reached", .destinationReached, "flag-checkered"),
                action("battery", .battery, "battery-heart-variant"),
            ]
        })

    /// The arguments of `sound`: a predefined sound, or tones.
    struct SoundCommand: Hashable, Sendable {
        var sound: BeltTone?
        var steps: [Step]?

        /// A tone of the melody that `sound` plays.
        struct Step: Hashable, Sendable {
            var hertz = 0.0
            var milliseconds = 0
        }
    }

    static let sound = FeatureHandle<Never, SoundCommand>(
        "sound", "Plays a sound on the belt's buzzer; firmware 45 and newer.",
        takes: Taking(
            SoundCommand(),
            [
                .field(
                    "sound", \.sound, .choice(BeltTone.named.map { ($0.name, $0.tone) }),
                    "A sound by its name."),
                .field(
                    "steps", \.steps,
                    .list(
                        .object(
                            SoundCommand.Step(),
                            [
                                .field(
                                    "hz", \.hertz, .number(0...7968.75), unit: "Hz", required: true,
                                    "The frequency in steps of 31.25 Hz; 0 is silence."),
                                .field(
                                    "ms", \.milliseconds, .integer(0...2550), unit: "ms", required: true,
                                    "The duration in steps of 10 ms."),
                            ]), count: 1...9), "Tones, one after another."),
            ],
            shorthands: [.field(\.sound)], rules: [.exactlyOne([\.sound, \.steps])],
            example: .object(
                SoundCommand(steps: [
                    .init(hertz: 1500, milliseconds: 50), .init(milliseconds: 100),
                    .init(hertz: 1500, milliseconds: 50),
                ]))),
        shown: { _ in
            BeltTone.named.map { sound in
                .action(
                    "Sound \(sound.name.replacing("_", with: " "))", sends: .string(sound.name),
                    icon: "volume-high", hidden: true)
            }
        })
}

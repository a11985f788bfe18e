import DeviceKit
import JSON

extension BeltFamily {
    static let parameterFeatures = [
        intensity.feature, headingOffset.feature, accuracySignal.feature, pairingRequired.feature,
        deviceName.feature, reset.feature,
    ]

    /// A new value of a parameter, and whether the belt stores it permanently.
    struct Change<Value: Hashable & Sendable>: Hashable, Sendable {
        var value: Value
        var persists = false
    }

    /// Returns the field `adjusted` of the answer: the value that the belt uses instead of the requested value.
    private static func adjusted(_ type: FieldType, unit: String? = nil) -> [Field] {
        [
            Field(
                "adjusted", type, unit: unit,
                "The value that the belt uses instead, if any.")
        ]
    }

    private static func persist<Value>() -> TakenField<Change<Value>> {
        .field(
            "persist", \.persists, .boolean,
            "Whether the belt keeps the value when it is switched off; firmware 41 and newer.")
    }

    /// An angle in whole degrees.
    private static let wholeAngle = ValueKind<UInt16>(
        .integer(0...360), encode: { .integer(Int($0)) },
        decode: { $0.integer.map { UInt16(truncatingIfNeeded: $0 % 360) } })

    /// A new default intensity, in percent.
    struct IntensityCommand: Hashable, Sendable {
        var intensity: UInt8 = 0
        var hasFeedback = true
    }

    static let intensity = FeatureHandle<UInt8, IntensityCommand>(
        "intensity", "The default intensity of all vibrations.",
        says: .state(.integer(0...100), unit: "%", example: 50 as UInt8),
        takes: Taking(
            IntensityCommand(),
            [
                .field(
                    "intensity", \.intensity, .integer(5...100), unit: "%", required: true, "The intensity."),
                .field(
                    "feedback", \.hasFeedback, .boolean,
                    "Whether the belt vibrates to show the new intensity."),
            ],
            shorthands: [.field(\.intensity)], answers: adjusted(.integer(0...100), unit: "%"),
            example: .bare(60)),
        shown: { [.control("Intensity", of: Control($0.taken(\.intensity)), icon: "vibrate")] })

    static let headingOffset = FeatureHandle<UInt16, Change<UInt16>>(
        "heading_offset", "The angle between the control box and the belt's front.",
        says: .state(.integer(0...359), unit: "degrees", example: 45 as UInt16),
        takes: Taking(
            Change(value: 0 as UInt16),
            [
                .field(
                    "heading_offset", \.value, wholeAngle, unit: "degrees", required: true,
                    "The angle; 360 is 0."),
                persist(),
            ],
            shorthands: [.field(\.value)], answers: adjusted(.integer(0...359), unit: "degrees"),
            example: .bare(45)),
        shown: { keys in
            [
                .control(
                    "Heading offset", of: Control(keys.taken(\.value)), purpose: .configuration,
                    icon: "angle-acute")
            ]
        })

    static let accuracySignal = FeatureHandle<BeltAccuracySignal, Change<BeltAccuracySignal>>(
        "accuracy_signal", "The modes in which the belt signals that its compass is inaccurate.",
        says: .state(.choice, example: BeltAccuracySignal.both),
        takes: Taking(
            Change(value: BeltAccuracySignal.off),
            [.field("accuracy_signal", \.value, .choice, required: true, "The modes."), persist()],
            shorthands: [.field(\.value)], answers: adjusted(.choice(BeltAccuracySignal.names)),
            example: .bare("off")),
        shown: { keys in
            [
                .control(
                    "Compass accuracy signal", of: Control(keys.taken(\.value)), purpose: .configuration,
                    icon: "compass-off-outline")
            ]
        })

    static let pairingRequired = FeatureHandle<Bool, Change<Bool>>(
        "pairing_required", "Whether the belt refuses clients that are not paired with it.",
        says: .state(.boolean, example: true),
        takes: Taking(
            Change(value: true, persists: true),
            [
                .field(
                    "pairing_required", \.value, .boolean, required: true, "Whether the belt refuses them."),
                persist(),
            ],
            shorthands: [.field(\.value)], answers: adjusted(.boolean), example: .bare(true)),
        shown: { keys in
            [
                .control(
                    "Pairing required", of: Control(keys.taken(\.value)), purpose: .configuration,
                    icon: "bluetooth-settings")
            ]
        })

    static let deviceName = FeatureHandle<Never, OneArgument<String>>(
        "device_name", "The end of the belt's Bluetooth name; changing it closes the connection.",
        takes: .one(
            "device_name", "", .text(.ascii, 1...18), "The part of the name after naviGuertel.",
            example: "Left"))

    struct ResetCommand: Hashable, Sendable {
        var parameters: Bool?
        var bluetooth = false
        var sensors = false
        var isConfirmed = false
    }

    static let reset = FeatureHandle<Never, ResetCommand>(
        "reset", "Resets parts of the belt to their factory state; firmware 43 and newer.",
        takes: Taking(
            ResetCommand(),
            [
                .field(
                    "parameters", \.parameters, .boolean,
                    "Resets the parameters; true if omitted and nothing else is reset."),
                .field(
                    "bluetooth", \.bluetooth, .boolean,
                    "Resets the Bluetooth module, including its name, which closes the connection."),
                .field("sensors", \.sensors, .boolean, "Resets the sensors."),
                .field("confirm", \.isConfirmed, .boolean, "Must be true."),
            ],
            rules: [.when(\.parameters, is: [false], .anyIs([\.bluetooth, \.sensors], true))],
            traits: .confirmed,
            example: .object(
                ResetCommand(parameters: true, isConfirmed: true), also: [\.bluetooth, \.sensors])))
}

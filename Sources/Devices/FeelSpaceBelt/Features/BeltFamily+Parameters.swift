import DeviceKit
import JSON

extension BeltFamily {
    static let parameterFeatures = [
        intensity, headingOffset, accuracySignal, pairingRequired, deviceName, reset,
    ]

    private static func persist(_ value: Bool) -> Field {
        Field(
            "persist", .boolean, default: .bool(value),
            "Whether the belt keeps it when it is switched off; firmware 41 and newer.")
    }

    private static let intensity = Feature(
        "intensity", "The default intensity of all vibrations.",
        report: Report(.state, .integer(0...100), unit: "%", example: 50),
        command: Command(
            [
                Field("intensity", .integer(5...100), unit: "%", required: true, "How strong."),
                Field("feedback", .boolean, default: true, "Whether the belt vibrates to show it."),
            ],
            shorthands: [.field("intensity")], example: 60),
        shown: [.control("Intensity", of: Control("intensity"), icon: "vibrate")])

    private static let headingOffset = Feature(
        "heading_offset", "The angle between the control box and the belt's front.",
        report: Report(.state, .integer(0...359), unit: "degrees", example: 45),
        command: Command(
            [
                Field(
                    "heading_offset", .integer(0...359), unit: "degrees", required: true, "The angle."),
                persist(false),
            ],
            shorthands: [.field("heading_offset")], example: 45),
        shown: [
            .control(
                "Heading offset", of: Control("heading_offset"), purpose: .configuration,
                icon: "angle-acute")
        ])

    private static let accuracySignal = Feature(
        "accuracy_signal", "In which modes the belt signals that its compass is not to be trusted.",
        report: Report(.state, .choice(AccuracySignal.names), example: "both"),
        command: Command(
            [
                Field("accuracy_signal", .choice(AccuracySignal.names), required: true, "The modes."),
                persist(false),
            ],
            shorthands: [.field("accuracy_signal")], example: "off"),
        shown: [
            .control(
                "Compass accuracy signal", of: Control("accuracy_signal"), purpose: .configuration,
                icon: "compass-off-outline")
        ])

    private static let pairingRequired = Feature(
        "pairing_required", "Whether the belt refuses clients that are not paired with it.",
        report: Report(.state, .boolean, example: true),
        command: Command(
            [
                Field("pairing_required", .boolean, required: true, "Whether it refuses them."),
                persist(true),
            ],
            shorthands: [.field("pairing_required")], example: true),
        shown: [
            .control(
                "Pairing required", of: Control("pairing_required"), purpose: .configuration,
                icon: "bluetooth-settings")
        ])

    private static let deviceName = Feature(
        "device_name", "The end of the belt's Bluetooth name; changing it ends the connection.",
        command: Command(
            [
                Field(
                    "device_name", .text(1...18), required: true,
                    "What follows naviGuertel in the name; ASCII.")
            ],
            shorthands: [.field("device_name")], example: "-left"))

    private static let reset = Feature(
        "reset", "Resets parts of the belt to how they were made; firmware 43 and newer.",
        command: Command(
            [
                Field(
                    "parameters", .boolean,
                    "Resets the parameters; true if left out and nothing else is to be reset."),
                Field(
                    "bluetooth", .boolean, default: false,
                    "Resets the Bluetooth module, its name included, which ends the connection."),
                Field("sensors", .boolean, default: false, "Resets the sensors."),
                Field("confirm", .boolean, default: false, "Must be true."),
            ],
            traits: .confirmed,
            example: ["parameters": true, "bluetooth": false, "sensors": false, "confirm": true]))
}

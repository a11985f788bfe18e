package import DeviceKit
import JSON

extension BridgeFeatures {
    /// The request that changes settings of families; nil if no family has such settings.
    static func defaultsRequest(_ families: [any DeviceFamily]) -> Feature? {
        let families = families.filter { !$0.changeableSettings.isEmpty }
        guard let family = families.first, let field = changeable(family).first else { return nil }
        return Feature(
            .defaults,
            "Overrides settings in a family's section of the configuration, for devices without their own value; kept "
                + "across restarts. No device is disconnected. Answers with the values in force.",
            command: Command(
                families.map { family in
                    Field(
                        family.name, .object(changeable(family).map(asked)),
                        "The settings of the family \(family.name); null: as in the configuration.")
                }
                    + [
                        Field(
                            "immediate", .boolean, default: false,
                            "Whether connected devices of the named families apply the named settings immediately, "
                                + "instead of values from commands; otherwise at the next connection.")
                    ], empty: [:],
                answers: families.map { family in
                    Field(
                        family.name, .object(changeable(family)),
                        "The values in force for the family \(family.name).")
                }
                    + [
                        Field(
                            "devices", .list(.text(1...256), count: 0...10_000),
                            "The connected devices of this bridge that apply the settings immediately.")
                    ],
                example: [
                    family.name: [field.name: field.default ?? .null], "immediate": true,
                ]))
    }

    package static func changeable(_ family: any DeviceFamily) -> [Field] {
        family.settings.filter { family.changeableSettings.contains($0.name) }
    }

    /// Returns a copy of a setting's field that is optional: a request without the field leaves the setting unchanged.
    private static func asked(_ field: Field) -> Field {
        Field(field.name, field.type, unit: field.unit, nullable: true, field.summary)
    }
}

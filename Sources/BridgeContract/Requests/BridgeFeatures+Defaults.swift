package import DeviceKit
import JSON

extension BridgeFeatures {
    /// The request that changes settings of families; nil if no family has such settings.
    static func defaultsRequest(_ families: [any DeviceFamily]) -> Feature? {
        let families = families.filter { !$0.changeableSettings.isEmpty }
        guard let family = families.first, let field = changeable(family).first else { return nil }
        return Feature(
            .defaults,
            "Changes settings of a family in place of its section in the configuration, for its devices without such a "
                + "setting of their own; kept over restarts. It disconnects none. Answers with what is in force.",
            command: Command(
                families.map { family in
                    Field(
                        family.name, .object(changeable(family).map(asked)),
                        "The settings of the family \(family.name); null: as the configuration has it.")
                }
                    + [
                        Field(
                            "immediate", .boolean, default: false,
                            "Whether connected devices of the named families take the named settings at once, in place "
                                + "of what commands set; otherwise when they connect the next time.")
                    ], empty: [:],
                answers: families.map { family in
                    Field(
                        family.name, .object(changeable(family)),
                        "What is in force for the family \(family.name).")
                }
                    + [
                        Field(
                            "devices", .list(.text(1...256), count: 0...10_000),
                            "The connected devices of this bridge that take theirs at once.")
                    ],
                example: [
                    family.name: [field.name: field.default ?? .null], "immediate": true,
                ]))
    }

    package static func changeable(_ family: any DeviceFamily) -> [Field] {
        family.settings.filter { family.changeableSettings.contains($0.name) }
    }

    /// The field as an optional one: a missing value leaves the setting unchanged.
    private static func asked(_ field: Field) -> Field {
        Field(field.name, field.type, unit: field.unit, nullable: true, field.summary)
    }
}

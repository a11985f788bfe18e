import Bluetooth
package import DeviceKit
package import JSON

extension BridgeFeatures {
    /// The last topic level of a bridge's list of families.
    package static let familiesName = Topics.familiesName

    static let families = Feature(
        Topics.familiesName,
        "The families of devices that the bridge knows. The name of a family, and names below it, are reserved for "
            + "its devices on every bridge.",
        report: Report(
            .state,
            .list(
                .object([
                    Field("name", .text(1...64), "The name in configuration and topics."),
                    Field("title", .text(0...Int.max), "The product name as the manufacturer writes it."),
                    Field(
                        "source", .choice(FamilySource.allCases.map(\.rawValue)),
                        "Its source: built_in for the program, file for a device file."),
                    Field(
                        "fault", .text(0...Int.max), nullable: true,
                        "The error in its device file; its devices cannot be used."),
                    Field(
                        "matches", .list(.object(recognition), count: 0...1000),
                        "How its devices are recognized: by one of these matches. All given parts of a match must fit."
                    ),
                ]), count: 0...1000),
            example: [
                [
                    "name": "belt", "title": "feelSpace naviBelt", "source": "built_in", "fault": nil,
                    "matches": [
                        [
                            "name": "naviGuertel*", "ignore_case": true,
                            "service": "0000fe51-0000-1000-8000-00805f9b34fb",
                        ]
                    ],
                ],
                [
                    "name": "bracelet", "title": "Example bracelet", "source": "file", "fault": nil,
                    "matches": [["name": "Bracelet ?"], ["company": 76, "data": "02..01"]],
                ],
            ]))

    private static let recognition = [
        Field("name", .text(1...Int.max), "A pattern for the name: `*` is any text, `?` any character."),
        Field("ignore_case", .boolean, "Present if the case of letters in the name is ignored."),
        Field("service", .text(36...36), "The UUID of a service that it advertises."),
        Field("company", .integer(0...65_535), "The company number of its manufacturer data."),
        Field(
            "data", .text(1...Int.max),
            "The start of its manufacturer or service data: two hexadecimal digits for each byte, `.` for any digit."
        ),
        Field("service_data", .text(36...36), "The UUID of a service whose data it advertises."),
        Field("address", .form(.address, 17...17), "Its Bluetooth address."),
    ]

    /// The payload of ``families``: the list of the families that the bridge supports.
    package static func list(_ families: [any DeviceFamily]) -> JSON.Value {
        .array(
            families.map { family in
                [
                    "name": .string(family.name), "title": .string(family.displayName),
                    "source": .string(family.source.rawValue),
                    "fault": family.fault.map { .string($0) } ?? .null,
                    "matches": .array(family.recognitions.map { .object(object($0)) }),
                ]
            })
    }

    private static func object(_ recognition: Recognition) -> JSON.Object {
        var object = JSON.Object()
        object["name"] = recognition.name.map { .string($0) }
        if recognition.ignoresCase { object["ignore_case"] = true }
        object["service"] = recognition.service.map { .string($0.description) }
        object["company"] = recognition.company.map { .integer(Int($0)) }
        object["service_data"] = recognition.serviceData.map { .string($0.description) }
        object["data"] = recognition.data.map { .string($0) }
        object["address"] = recognition.address.map { .string($0.description) }
        return object
    }
}

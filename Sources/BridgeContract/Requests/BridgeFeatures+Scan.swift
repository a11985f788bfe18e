import DeviceKit
import JSON

extension BridgeFeatures {
    /// The arguments of `scan`.
    package struct Scan: Sendable {
        package var seconds = 15
    }

    package static let scan = RequestHandle(
        .scan,
        "Searches for devices, and then answers with the devices in range. No device joins.",
        takes: Taking(
            Scan(), [.field("seconds", \.seconds, .integer(1...600), unit: "s", "How long to search.")],
            shorthands: [.field(\.seconds)], empty: Scan(),
            answers: [
                Field(
                    "devices", .list(.object(inRange), count: 0...scanLimit),
                    "The devices in range: known families first, then by signal strength."),
                Field(
                    "left_out", .integer(0...Int.max),
                    "How many further devices were in range, for which the answer has no room."),
            ], example: .object(Scan(), also: [\.seconds])))

    /// The maximum number of devices in an answer: about 60 kB.
    package static let scanLimit = 200

    private static let inRange = [
        Field("address", .form(.address, 17...17), "Its Bluetooth address."),
        Field("name", .text(0...Int.max), nullable: true, "The name that it advertises."),
        Field(
            "rssi", .integer(-128...20), unit: "dBm", nullable: true,
            "The signal strength; null if it is connected and does not advertise."),
        Field(
            "families", .list(.text(1...Int.max), count: 0...10_000),
            "The families that match it, the best match first; empty if none matches."),
        Field(
            "device", .text(1...Int.max), nullable: true,
            "Its name on this bridge; null if the bridge does not manage it."),
        Field("connected", .boolean, "Whether this host is connected to it."),
        Field("paired", .boolean, "Whether this host is bonded with it."),
        Field("adapter", .text(1...Int.max), nullable: true, "The adapter that receives it."),
        Field("advice", .text(0...Int.max), nullable: true, "The next command to type."),
    ]
}

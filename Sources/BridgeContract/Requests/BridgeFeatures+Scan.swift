import DeviceKit
import JSON

extension BridgeFeatures {
    /// The arguments of `scan`.
    package struct Scan: Sendable {
        package var seconds = 15
    }

    package static let scan = RequestHandle(
        .scan,
        "Searches for devices, and answers with those in range when the time is over. No device joins by it.",
        takes: Taking(
            Scan(), [.field("seconds", \.seconds, .integer(1...600), unit: "s", "How long to search.")],
            shorthands: [.field(\.seconds)], empty: Scan(),
            answers: [
                Field(
                    "devices", .list(.object(inRange), count: 0...scanLimit),
                    "The devices in range: those of known families first, the strongest of each first."),
                Field(
                    "left_out", .integer(0...Int.max),
                    "How many more devices were in range than the answer has room for."),
            ], example: .object(Scan(), also: [\.seconds])))

    /// The maximum number of devices in an answer: about 60 kB.
    package static let scanLimit = 200

    private static let inRange = [
        Field("address", .form(.address, 17...17), "Its Bluetooth address."),
        Field("name", .text(0...Int.max), nullable: true, "The name that it advertises."),
        Field(
            "rssi", .integer(-128...20), unit: "dBm", nullable: true,
            "How well it is heard; null if it is connected and does not advertise."),
        Field(
            "families", .list(.text(1...Int.max), count: 0...10_000),
            "The families that it may be of, the one that fits best first; none if no family fits."),
        Field(
            "device", .text(1...Int.max), nullable: true,
            "Its name on this bridge; null if the bridge does not look after it."),
        Field("connected", .boolean, "Whether this host is connected to it."),
        Field("paired", .boolean, "Whether this host is bonded with it."),
        Field("adapter", .text(1...Int.max), nullable: true, "The adapter that hears it."),
        Field("advice", .text(0...Int.max), nullable: true, "What to type next."),
    ]
}

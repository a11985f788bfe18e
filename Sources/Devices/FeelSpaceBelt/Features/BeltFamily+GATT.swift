import DeviceKit
import JSON

extension BeltFamily {
    /// The arguments of `gatt`.
    struct GATTCommand: Hashable, Sendable {
        var characteristic = ""
        var service: String?
        /// The bytes to write; nil for a read.
        var hex: String?
        /// The characteristic whose next notification is the answer.
        var answerFrom: String?
        var isConfirmed = false
    }

    /// The setting that enables `gatt`.
    static let expertKey = "expert"

    static let gatt = FeatureHandle<Never, GATTCommand>(
        "gatt",
        "Reads or writes bytes of one of the belt's own characteristics, for experts in its protocol; needs expert in "
            + "the configuration. Its vibrations count like those of vibrate, so stops apply; FE03 accepts only "
            + "packets of the known protocol.",
        takes: Taking(
            GATTCommand(),
            [
                .field(
                    "characteristic", \.characteristic, .text(4...36), required: true,
                    "The characteristic's UUID, such as FE01."),
                .field("service", \.service, .text(4...36), "Its service's UUID: FE51, FE52 or FE53."),
                .field("hex", \.hex, .text(2...1024), "The bytes to write; without them it is read."),
                .field(
                    "answer_from", \.answerFrom, .text(4...36),
                    "With hex: the characteristic whose next notification is the answer; on FE06, that of the "
                        + "same parameter."),
                .field(
                    "confirm", \.isConfirmed, .boolean,
                    "Must be true for a reset, for the modes calibration and standby, and for bytes whose "
                        + "effect is unknown."),
            ],
            answers: [
                Field("hex", .text(0...1024), "The bytes that were read, written, or notified as the answer.")
            ],
            example: .object(
                GATTCommand(characteristic: "FE05", service: "FE51", hex: "0101", answerFrom: "FE06"))))
}

import DeviceKit
import JSON

/// The keys of every answer to a command or a request. In an answer that reports a success, further fields follow.
enum AnswerFields {
    static let all = [
        Field("status", .choice(["ok", "error"]), "Whether it succeeded."),
        Field("elapsed_ms", .integer(0...Int.max), unit: "ms", "The duration, on success."),
        Field("code", .choice(CommandError.Code.allCases.map(\.rawValue)), "The kind of error."),
        Field("message", .text(0...Int.max), "The problem, and the allowed values."),
        Field(
            "reason", .text(0...64),
            "The cause in one word, if the code alone is ambiguous: path, sender, clock, all_stop, hold."),
        Field("id", .any, "The sender's `id`, if one was given."),
        Field("time", .time, "When it ended."),
        Field("seq", .integer(1...Int.max), "A counter; a repeated number is a duplicate."),
    ]

    /// The optional fields of the answer to any command of a device.
    static let command = [
        confirmed,
        Field("kept", .boolean, "True if the command waits until the device is online."),
        Field("superseded", .boolean, "True if a newer command replaced it before it was sent."),
        Field("values", .map(.any), "The values that the device returned for the command."),
        Field("refused", .map(.any), "The refusal that the device returned for the command."),
        Field("device", .text(0...Int.max), "The device's name, if a former name was used."),
    ]

    /// An optional field of the answer to a stop: whether the device confirmed that it stopped.
    static let confirmed = Field(
        "confirmed", .boolean,
        "False for a successful stop if the device's protocol has no confirmation.")
}

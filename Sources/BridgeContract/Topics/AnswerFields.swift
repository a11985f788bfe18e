import DeviceKit
import JSON

/// The keys of every answer to a command or a request; the fields of a success follow them.
enum AnswerFields {
    static let all = [
        Field("status", .choice(["ok", "error"]), "How it ended."),
        Field("elapsed_ms", .integer(0...Int.max), unit: "ms", "How long it took, on success."),
        Field("code", .choice(CommandError.Code.allCases.map(\.rawValue)), "What kind of error it is."),
        Field("message", .text(0...Int.max), "What was wrong and what is allowed."),
        Field(
            "reason", .text(0...64),
            "The cause in one word, where the code alone does not tell: path, sender, clock, all_stop, hold."),
        Field("id", .any, "The sender's `id`, if one was given."),
        Field("time", .time, "When it ended."),
        Field("seq", .integer(1...Int.max), "Counts up; a number that comes again is a repeat."),
    ]

    /// The optional fields of the answer to any command of a device.
    static let command = [
        confirmed,
        Field("kept", .boolean, "True where the command waits for the device to come back."),
        Field("superseded", .boolean, "True where a newer command took its place, so that it was not sent."),
        Field(
            "values", .map(.any), "What the device answered, on success of a command that asks it for values."
        ),
        Field("refused", .map(.any), "What the device answered where it refused the command."),
        Field("device", .text(0...Int.max), "The device's name, where a name that it had was used."),
    ]

    /// The optional field of the answer to a stop.
    static let confirmed = Field(
        "confirmed", .boolean,
        "False on the success of a stop where the device's protocol does not tell whether it obeys.")
}

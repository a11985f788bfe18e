import DeviceKit
import JSON

extension BridgeFeatures {
    /// The request for everything that another host needs.
    static let backup = RequestHandle(
        .backup,
        "Answers with the devices that joined, their names, and the settings, for restore; without secrets and bonds.",
        takes: .nothing(
            answers: [
                Field("backup", .object(Backup.fields), "The backup to send with restore."),
                Field(
                    "left_out", .list(.text(1...Int.max), count: 0...10_000),
                    "The settings that are set on this bridge but not in the backup: secrets and credentials."
                ),
                Field(
                    "pair_again", .list(.text(1...256), count: 0...10_000),
                    "The devices that must be paired again on another host, those of the configuration included."
                ),
            ]))

    /// The request that adds the devices of a backup.
    ///
    /// It is a request, not a command that writes the state file: only the running bridge may write its state, as its
    /// own user. The devices are added at once, and the answer gives a reason for each rejected device. Settings stay
    /// as in the configuration file: a service may not write that file, and a message over the network must not change
    /// the broker or a user's role.
    static let restoreRequest = Feature(
        .restore,
        "Adds the devices of a backup with their names, as if they had joined; settings are only compared.",
        command: Command(
            [
                Field(
                    "backup", .object(Backup.fields), required: true, "The backup from the answer of backup.")
            ],
            answers: [
                Field("restored", names, "The devices that now have their names from the backup."),
                Field(
                    "skipped",
                    .list(
                        .object([
                            Field("device", .text(0...Int.max), "Its name in the backup."),
                            Field("reason", .text(0...Int.max), "Why it was not added."),
                        ]), count: 0...10_000), "The devices that were not added."),
                Field("pair_again", names, "The restored devices that must be paired on this host."),
                Field(
                    "settings_differ", names,
                    "The settings, devices and groups that are missing in this bridge's configuration or differ from "
                        + "it."
                ),
            ],
            example: [
                "backup": [
                    "version": 1,
                    "devices": [["name": "belt", "family": "belt", "address": "AA:BB:CC:DD:EE:FF"]],
                ]
            ]))
}

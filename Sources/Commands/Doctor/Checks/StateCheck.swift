/// The folder in which the bridge stores the state that it needs after a restart.
struct StateFacts: Hashable, Sendable {
    enum Folder: Hashable, Sendable {
        /// The folder does not exist; the value is whether it can be created.
        case missing(canBeMade: Bool)
        /// The folder exists; the value is whether files can be created in it.
        case present(isWritable: Bool)
        case notAFolder
    }

    enum Content: Hashable, Sendable {
        /// The folder contains no state file.
        case none
        /// The state is valid, with the number of devices, and the number of devices that joined over MQTT.
        case devices(Int, joined: Int)
        /// The system denies access to the state, for this reason.
        case unreadable(String)
        /// This version cannot parse the state, for this reason.
        case damaged(String)
    }

    /// A joined device whose name has become reserved.
    struct Renamed: Hashable, Sendable {
        var name: String
        /// The device's current name, or the name that it gets at the next start.
        var now: String
        /// The reason why the old name is reserved, and which names are allowed.
        var reason: String
    }

    var path: String
    var user: String
    var folder: Folder
    /// The content of the state file, and of the previous state file, which is used if the newer file cannot be read.
    var content = Content.none
    var before = Content.none
    /// The free space on the disk, in bytes; nil if it is unknown.
    var freeBytes: Int?
    /// The reason why the bridge renamed an earlier state file to `state.json.damaged`; nil if there is no such file.
    var setAside: String?
    var renamed: [Renamed] = []

    var findings: [Finding] {
        var findings = [finding]
        if let freeBytes, freeBytes < 1 << 20 {
            findings.append(
                .problem(.state, "the disk that holds \(path) is full", ["df -h \(path)"]))
        }
        if let setAside {
            findings.append(
                .warning(
                    .state, "a damaged state file was set aside: \(setAside)",
                    [
                        "mosquitto_sub -t 'bridge/+/devices' -C 1   # is a device missing? join it again",
                        "sudo rm \(path)/state.json.damaged \(path)/state.json.damaged.reason   # after checking it",
                    ]))
        }
        return findings
            + renamed.map { device in
                .warning(
                    .state,
                    "the device \(device.name) is called \(device.now), and obeys stops under both names: "
                        + device.reason,
                    [
                        "mosquitto_pub -t bridge/all/request/rename -m "
                            + "'{\"device\":\"\(device.now)\",\"to\":\"NAME\"}'   # gives it a name of your choice"
                    ])
            }
    }

    private var finding: Finding {
        switch (folder, content) {
        case (.notAFolder, _):
            return .problem(.state, "\(path) is not a folder", ["ls -ld \(path)"])
        case (.missing(canBeMade: false), _):
            return .problem(
                .state,
                "\(path) does not exist, and \(user) cannot create it: names and joined devices are lost at a restart",
                ["sudo install -d -o \(user) \(path)", "or choose another folder: bridge.state_directory"])
        case (_, .unreadable(let reason)):
            return .problem(
                .state, "\(path)/state.json cannot be read by \(user): \(reason)",
                [Self.asService(path), chown])
        case (_, .damaged(let reason)):
            return damaged(reason)
        case (.present(isWritable: false), _):
            return .problem(
                .state,
                "\(user) cannot write to \(path): joined devices and new names are lost at a restart",
                [Self.asService(path), chown])
        case (.missing(canBeMade: true), _), (_, .none):
            return .ok(.state, "\(path): nothing stored yet")
        case (_, .devices(let count, let joined)):
            return .ok(.state, "\(path)/state.json: \(count) devices, \(joined) of them joined over MQTT")
        }
    }

    private func damaged(_ reason: String) -> Finding {
        let next: String
        switch before {
        case .devices(let count, _):
            next = "the previous state, with \(count) devices, is used at the next start"
        case .none, .unreadable, .damaged: next = "the bridge starts without joined devices at the next start"
        }
        return .problem(
            .state, "\(path)/state.json cannot be used: \(reason); \(next)",
            [
                "less \(path)/state.json   # you can repair it by hand while the bridge is stopped",
                "cp \(path)/state.json.before \(path)/state.json   # the state before the last change",
            ])
    }

    private var chown: String { "sudo chown -R \(user) \(path)   # if the bridge runs as \(user)" }

    /// Returns the command that runs the checks as the user of the installed service.
    static func asService(_ path: String) -> String {
        "sudo -u tactile-bridge STATE_DIRECTORY=\(path) tactile-bridge doctor   # checks as the service's user"
    }
}

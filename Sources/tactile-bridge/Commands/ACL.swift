import ArgumentParser
import BridgeConfiguration
import Commands
import Reference
import StateFiles
import Terminal

/// The command `tactile-bridge acl`.
struct ACL: AsyncParsableCommand {
    /// The broker whose configuration format is printed.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case mosquitto, ejabberd
    }

    static let configuration = CommandConfiguration(
        commandName: "acl",
        abstract: "Writes an access list with the permissions of each role, for Mosquitto or ejabberd.",
        discussion: """
            Roles:
            \(roles)
            Every user may send stops to all devices, under names of up to four levels. The names of devices and \
            groups come from the configuration, from the bridge's state if it is readable, and with --fleet from the \
            broker. Write the list again after a device is renamed: until then, only its stops are allowed under the \
            new name.
            The Response Topic of a request must start with reply/ and the user's name.

            Examples:
              tactile-bridge acl | sudo tee /etc/mosquitto/tactile-bridge.acl
              tactile-bridge acl --role operator --role typist --user homeassistant
              tactile-bridge acl --format ejabberd |
                sudo tee /etc/ejabberd/tactile-bridge.yml
              tactile-bridge acl --fleet --bridge hall --bridge attic --role operator
            and in mosquitto.conf: acl_file /etc/mosquitto/tactile-bridge.acl, and the lines in the list's comment
            """)

    /// The descriptions of the roles. They are indented, because the argument parser would otherwise wrap them into one
    /// paragraph.
    private static let roles = Role.allCases.flatMap { role in
        "\(role.rawValue): \(role.summary)".wrapped(at: 74).enumerated().map {
            ($0 == 0 ? "  " : "    ") + $1
        }
    }.joined(separator: "\n")

    @Option(
        help: ArgumentHelp(
            "mosquitto for its acl_file, ejabberd for a file that its configuration includes (mod_mqtt)."))
    var format = Format.mosquitto

    @Option(help: ArgumentHelp("Only this role; repeatable. Default: all roles.", valueName: "role"))
    var role: [Role] = []

    @Option(
        help: ArgumentHelp(
            "One user name for all the roles. Default: one user per role, with the role's name.",
            valueName: "name"))
    var user: String?

    @Option(
        help: ArgumentHelp(
            """
            Also a user for the bridge with this id, with the id as its name; repeatable. Without --role, the list \
            then has all other roles too.
            """, valueName: "id"))
    var bridge: [String] = []

    @Flag(
        help: ArgumentHelp(
            """
            Include the names on the broker: all devices and groups on the roster and of other bridges. Requires a \
            broker user with the role viewer.
            """))
    var fleet = false

    @OptionGroup var source: ConfigurationOption

    func validate() throws {
        for id in bridge {
            guard SettingForm.bridgeID.accepts(id) else {
                throw ValidationError(
                    "--bridge: found \(id.printable); allowed: \(SettingForm.bridgeID.allowed)")
            }
        }
        guard let user else { return }
        guard !role.isEmpty else { throw ValidationError("--user requires at least one --role") }
        guard !user.isEmpty, user == user.printable else {
            throw ValidationError("--user: found \(user); allowed: a name of printable characters")
        }
        guard !user.contains(where: { "+#/".contains($0) }) else {
            throw ValidationError(
                "--user: found \(user); allowed: a name without +, # and /, as it becomes a topic level")
        }
    }

    func run() async throws {
        let configuration = try source.loader.load()
        let settings = configuration.settings
        let state = StatePlace(
            configured: settings.stateDirectory, isChosen: configuration.namesStateDirectory)
        let others =
            !fleet
            ? (devices: [], groups: [])
            : try await FleetAccess.use(configuration) { _, fleet in
                (devices: fleet.namedDevices, groups: fleet.groupNames)
            }
        let list = AccessList(
            settings.bridge, named: state.devices, heard: others.devices, groups: others.groups,
            families: configuration.families)
        let users: [AccessList.User] =
            user.map { [(name: $0, roles: role)] }
            ?? (role.isEmpty ? Role.allCases.filter { $0 != .bridge || bridge.isEmpty } : role)
            .map { (name: $0.rawValue, roles: [$0]) }
        RootCommand.complain(list.refusals.map { "warning: \($0)".printable })
        switch format {
        case .mosquitto:
            let parts =
                bridge.map { list.with(id: $0).text([.bridge], user: $0) }
                + users.map { list.text($0.roles, user: $0.name) }
            print(parts.joined(separator: "\n"), terminator: "")
        case .ejabberd: print(list.ejabberd(bridge, users), terminator: "")
        }
    }
}

extension Role: ExpressibleByArgument {}

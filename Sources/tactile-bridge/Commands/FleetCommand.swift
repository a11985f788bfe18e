import ArgumentParser
import BridgeConfiguration
import BridgeContract
import Commands
import EventLoop
import HostServices
import Terminal

/// The command `tactile-bridge fleet`.
struct FleetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Shows and manages the bridges on one broker, and the roster of their devices.",
        discussion: """
            It connects to the configured broker as a client; no bridge has to run on this host. If the broker has an \
            access list, ls, devices, export and check require a user with the role viewer, join one with the role \
            operator, the other subcommands one with the role admin. Set the user with \
            TACTILE_BRIDGE_MQTT_USERNAME and TACTILE_BRIDGE_MQTT_PASSWORD.

            Upgrade one host at a time:
              tactile-bridge fleet drain attic
              … upgrade attic, which undrains when it starts …
              tactile-bridge fleet check
            Upgrade many hosts in waves with fleet upgrade.
            """,
        subcommands: [
            FleetList.self, FleetDevices.self, FleetJoinCommand.self, FleetDrain.self, FleetUndrain.self,
            FleetUpgradeCommand.self, FleetApply.self, FleetExport.self, FleetCheckCommand.self,
        ])
}

/// Functions that the fleet commands share: they read the messages on the fleet's broker.
enum FleetAccess {
    /// Reads the fleet, and runs a closure while the connection is open.
    static func use<Result: Sendable>(
        _ configuration: Configuration, readsGroups: Bool = false,
        _ body: @Sendable (FleetClient, FleetSnapshot) async throws -> Result
    ) async throws -> Result {
        let settings = configuration.settings
        let reader = RosterReader(configuration.families, reserved: settings.bridge.reservedNames)
        let loop = try EventLoop.start(name: "fleet")
        defer { loop.stop() }
        return try await FleetClient.withFleet(
            settings, FleetSnapshot(reader, baseTopic: settings.mqtt.baseTopic, readsGroups: readsGroups),
            on: loop, body)
    }

    /// Reads a fleet file; throws an error with the problems in the file.
    static func file(_ path: String, _ configuration: Configuration) throws -> FleetFile {
        try FleetFile(
            path: path, families: configuration.families,
            reserved: configuration.settings.bridge.reservedNames)
    }
}

/// The command `tactile-bridge fleet ls`.
struct FleetList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Shows the bridges on the broker.",
        discussion: """
            STATE: online, draining (it disconnects its devices and connects none) or offline.
            ONLINE: the number of the bridge's devices that are ready to use.
            SLOTS: the number of free connections of its adapters, if the bridge publishes it.
            """)

    @Flag(
        help:
            "One JSON object per line: bridge, state, version, host, zone, known, online, slots, fleet_protocol."
    )
    var json = false

    @OptionGroup var source: ConfigurationOption

    func run() async throws {
        let rows = try await FleetAccess.use(source.loader.load()) { _, fleet in fleet.bridgeRows }
        if rows.isEmpty, !json { return print("No bridge has used this broker yet.") }
        for line in json ? rows.map(\.line) : rows.table.fitted { print(line) }
    }
}

/// The command `tactile-bridge fleet devices`.
struct FleetDevices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Shows the devices on the roster and those of the bridges, and which bridge has each.",
        discussion: """
            BRIDGE: the bridge that has the device, or last published its state. STATE: the state on its topic \
            connection; - if no bridge publishes it.
            With --groups it shows the groups and zones instead, with the sum of their members on all bridges that are \
            online. BATTERY: the lowest level. STOPPED: the members with an emergency stop.
            """)

    @Flag(
        help: ArgumentHelp(
            """
            One JSON object per line: name, family, address, bridge, state, rssi, reason, roster. With --groups: group, \
            members, online, lowest_battery, playing, stopped, bridges.
            """))
    var json = false

    @Flag(help: "Show the groups and zones, with the sum of their members.")
    var groups = false

    @OptionGroup var source: ConfigurationOption

    func run() async throws {
        let fleet = try await FleetAccess.use(source.loader.load(), readsGroups: groups) { _, fleet in fleet }
        if groups {
            let rows = fleet.groupRows
            if rows.isEmpty, !json { return print("No bridge that is online has a device of a group.") }
            for line in json ? rows.map(\.line) : rows.table.fitted { print(line) }
            return
        }
        let rows = fleet.deviceRows
        if rows.isEmpty, !json { return print("The roster is empty, and no bridge has a device.") }
        for line in json ? rows.map(\.line) : rows.table.fitted { print(line) }
    }
}

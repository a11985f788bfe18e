import ArgumentParser
import BridgeConfiguration
import BridgeContract
import Commands
import EventLoop
import HostServices
import Terminal

/// `tactile-bridge fleet`
struct FleetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Shows and keeps the bridges at one broker, and the roster of their devices.",
        discussion: """
            An ordinary client of the broker of the configuration; no bridge need run on this host. Where the broker has \
            an access list, ls, devices and check need a user of the role viewer, the others one of the role admin: \
            TACTILE_BRIDGE_MQTT_USERNAME and TACTILE_BRIDGE_MQTT_PASSWORD name one.

            Upgrade one host at a time:
              tactile-bridge fleet drain attic
              … upgrade attic, which undrains when it starts …
              tactile-bridge fleet check
            """,
        subcommands: [
            FleetList.self, FleetDevices.self, FleetDrain.self, FleetUndrain.self, FleetApply.self,
            FleetCheckCommand.self,
        ])
}

/// The shared functions of the fleet commands: they read the fleet's broker.
enum FleetAccess {
    /// Reads the fleet, and runs a closure while the connection is open.
    static func use<Result: Sendable>(
        _ configuration: Configuration,
        _ body: @Sendable (FleetClient, FleetSnapshot) async throws -> Result
    ) async throws -> Result {
        let settings = configuration.settings
        let reader = RosterReader(configuration.families, reserved: settings.bridge.reservedNames)
        let loop = try EventLoop.start(name: "fleet")
        defer { loop.stop() }
        return try await FleetClient.withFleet(
            settings, FleetSnapshot(reader, baseTopic: settings.mqtt.baseTopic), on: loop, body)
    }

    /// Reads a file of the fleet; throws its problems.
    static func file(_ path: String, _ configuration: Configuration) throws -> FleetFile {
        try FleetFile(
            path: path, families: configuration.families,
            reserved: configuration.settings.bridge.reservedNames)
    }
}

/// `tactile-bridge fleet ls`
struct FleetList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Shows the bridges at the broker.",
        discussion: """
            STATE: online, draining (it lets its devices go and takes none) or offline.
            ONLINE: how many of the devices that the bridge looks after can be used.
            SLOTS: how many more links its adapters bear, where the bridge says so.
            """)

    @Flag(
        help:
            "One JSON object a line: bridge, state, version, host, zone, known, online, slots, fleet_protocol."
    )
    var json = false

    @OptionGroup var source: ConfigurationOption

    func run() async throws {
        let rows = try await FleetAccess.use(source.loader.load()) { _, fleet in fleet.bridgeRows }
        if rows.isEmpty, !json { return print("No bridge was ever at this broker.") }
        for line in json ? rows.map(\.line) : rows.table.fitted { print(line) }
    }
}

/// `tactile-bridge fleet devices`
struct FleetDevices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Shows the devices of the roster and those that bridges look after, with their holders.",
        discussion: """
            BRIDGE: who has the device, or spoke of it last. STATE: the word of its topic connection; - where nobody \
            speaks of it.
            """)

    @Flag(help: "One JSON object a line: name, family, address, bridge, state, rssi, reason, roster.")
    var json = false

    @OptionGroup var source: ConfigurationOption

    func run() async throws {
        let rows = try await FleetAccess.use(source.loader.load()) { _, fleet in fleet.deviceRows }
        if rows.isEmpty, !json { return print("The roster is empty, and no bridge looks after a device.") }
        for line in json ? rows.map(\.line) : rows.table.fitted { print(line) }
    }
}

import ArgumentParser
import BridgeConfiguration
import BridgeContract
import Commands
import EventLoop
import HostServices
import JSON
import Terminal

/// The command `tactile-bridge fleet drain`.
struct FleetDrain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drain", abstract: "Makes a bridge disconnect its devices cleanly and connect none.",
        discussion: """
            Robots stop and their motors are switched off, belts stop vibrating, then the devices are disconnected. \
            Another bridge in range of a device can then connect it. The command returns when all devices are \
            disconnected. The bridge connects devices again after undrain or a restart.
            """)

    @Argument(help: ArgumentHelp("The bridge's id.", valueName: "bridge"))
    var bridge: String

    @OptionGroup var source: ConfigurationOption

    func validate() throws { try FleetDrain.validate(bridge) }

    func run() async throws {
        let answer = try await FleetDrain.ask(bridge, "drain", source)
        let names = answer["devices"]?.array?.compactMap(\.string) ?? []
        let told = names.isEmpty ? "it had no device" : "disconnected: \(names.joined(separator: " "))"
        print("\(bridge) is draining; \(told)".printable)
    }

    static func validate(_ bridge: String) throws {
        guard !bridge.isEmpty, bridge.utf8.allSatisfy(NameRules.isNameByte), bridge != NameRules.everyBridge
        else {
            throw ValidationError(
                "found \(bridge.printable); allowed: the id of one bridge, as fleet ls shows it")
        }
    }

    /// Sends a request to a bridge of the fleet, on this or another host.
    static func ask(
        _ bridge: String, _ request: String, _ source: ConfigurationOption
    ) async throws -> JSON.Object {
        var settings = try source.loader.load().settings
        settings.bridge.id = bridge
        let loop = try EventLoop.start(name: "fleet")
        defer { loop.stop() }
        return try await BridgeRequest(request, to: settings).send([:], on: loop)
    }
}

/// The command `tactile-bridge fleet undrain`.
struct FleetUndrain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undrain", abstract: "Makes a draining bridge connect devices again.")

    @Argument(help: ArgumentHelp("The bridge's id.", valueName: "bridge"))
    var bridge: String

    @OptionGroup var source: ConfigurationOption

    func validate() throws { try FleetDrain.validate(bridge) }

    func run() async throws {
        let answer = try await FleetDrain.ask(bridge, "undrain", source)
        print(
            answer["was_draining"] == true
                ? "\(bridge) connects devices again" : "\(bridge) was not draining")
    }
}

import ArgumentParser
import BlueZ
import Bluetooth
import BridgeConfiguration
import Commands
import DeviceKit
import EventLoop
import HostServices

/// The command `tactile-bridge devices`.
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Shows the known devices of this host and its bridge.",
        discussion: """
            On a terminal, the table is updated until you press q or Ctrl-C; in a pipe, it is printed once. It \
            requires neither a broker nor a running bridge, and does not scan.

            LINK: connected; near, in range; known, stored by BlueZ; unknown, not known to BlueZ.
            BRIDGE: configured, joined over MQTT, or released (by a request disconnect).
            BATTERY is the level that BlueZ reads; a belt publishes its own on belt/battery.

            Examples:
              tactile-bridge devices
              tactile-bridge devices --json | jq -r 'select(.link == "connected").name'
            """)

    @OptionGroup var source: ConfigurationOption

    @Flag(
        help: ArgumentHelp(
            "One JSON object per line, once: address, name, family, bridge, link, rssi, battery, paired, adapter, "
                + "bluetooth_name."))
    var json = false

    @Flag(help: "Prints the table once, also on a terminal.")
    var once = false

    func run() async throws {
        let configuration = try source.loader.load()
        let book = DeviceBook(configuration)
        let loop = try EventLoop.start(name: "devices")
        let scanner = DeviceScanner(settings: configuration.settings.bluetooth, loop: loop)
        let rows: [DeviceRow]
        do {
            rows = try await withTaskExecutorPreference(loop) { () async throws -> [DeviceRow] in
                _ = try await scanner.examine()
                let screen = json || once ? nil : Screen()
                return try await watch(scanner, book, on: screen)
            }
        } catch let failure as CommandFailure {
            // The bridge's devices are stored in files, so they can be shown even without BlueZ.
            show(book.rows([]))
            throw failure
        }
        loop.stop()
        show(rows)
    }

    private func watch(_ scanner: DeviceScanner, _ book: DeviceBook, on screen: Screen?) async throws
        -> [DeviceRow]
    {
        defer { screen?.end() }
        var rows: [DeviceRow]?
        // Without a screen, the first snapshot after BlueZ has reported its objects is enough; the limit is the maximum
        // time to wait for it.
        let limit: Duration? = if screen == nil { .seconds(10) } else { nil }
        await scanner.watch(for: limit, screen: screen) { snapshot in
            if snapshot.radio.isRunning { rows = book.rows(snapshot.devices) }
            guard let screen else { return !snapshot.radio.isRunning }
            screen.draw([snapshot.headline, ""] + (rows ?? book.rows([])).table)
            return true
        }
        guard let rows else { throw CommandFailure(.unavailable, "no answer from BlueZ within 10 s") }
        return rows
    }

    private func show(_ rows: [DeviceRow]) {
        if rows.isEmpty, !json {
            return print(
                source.keeping(
                    "This host and its bridge have no devices yet; to search: tactile-bridge scan"))
        }
        for line in json ? rows.map(\.line) : rows.table { print(line) }
    }
}

extension DeviceScanner.Snapshot {
    /// The line above the table while the table is updated live.
    fileprivate var headline: String {
        guard radio.isRunning else { return "BlueZ is not running; waiting for it.   q quits" }
        let adapters = radio.adapters.map { "\($0.name)\($0.isPowered ? "" : " (off)")" }.joined(
            separator: " ")
        return "BlueZ \(radio.version ?? "")   \(adapters.isEmpty ? "no adapter" : adapters)   q quits"
    }
}

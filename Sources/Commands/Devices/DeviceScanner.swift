package import BlueZ
package import Bluetooth
package import BridgeConfiguration
import DBus
package import EventLoop
import HostServices
import Logging
import UnixSignals

/// Reads the adapters and devices of BlueZ for commands at a terminal. A bridge may be running at the same time,
/// because the scanner answers no pairing request and connects to no device.
package struct DeviceScanner: Sendable {
    package struct Snapshot: Sendable {
        package var radio: RadioDescription
        package var devices: [KnownDevice]
    }

    var settings: BluetoothSettings
    let loop: EventLoop

    package init(settings: BluetoothSettings, loop: EventLoop) {
        self.settings = settings
        self.loop = loop
    }

    /// Asks BlueZ for its objects.
    ///
    /// - Returns: The version, adapters and devices that BlueZ reports.
    /// - Throws: `CommandFailure` with the problem if BlueZ does not answer.
    package func examine() async throws -> BlueZFacts {
        let facts = try await BusProbe(settings: settings).facts(on: loop)
        if let problem = facts.findings.first(where: { $0.verdict == .problem }) {
            throw CommandFailure(.unavailable, problem.lines(TerminalStyle()).joined(separator: "\n"))
        }
        guard case .objects(let bluez) = facts.answer else {
            throw CommandFailure(.unavailable, "BlueZ does not answer; for the cause: tactile-bridge doctor")
        }
        return bluez
    }

    /// Checks that the radio can be used; throws an error with the problem if BlueZ does not answer or no adapter can
    /// be used.
    package func examineRadio() async throws {
        let bluez = try await examine()
        let adapters = RadioFacts(
            switches: HostProbe().switches, kernelAdapters: nil, controllers: bluez.controllers,
            wanted: settings.adapters)
        if let problem = adapters.findings.first(where: { $0.verdict == .problem }) {
            throw CommandFailure(.unavailable, problem.lines(TerminalStyle()).joined(separator: "\n"))
        }
    }

    /// Shows snapshots at each change and every second, until the caller stops it.
    ///
    /// - Parameters:
    ///   - limit: The duration after which to stop; nil for no limit.
    ///   - isSearching: Whether to start discovery on the adapters.
    ///   - screen: The screen whose keys and signals stop the watch; nil if only the limit stops it.
    ///   - show: Receives each snapshot; returns false to stop.
    package func watch(
        for limit: Duration?, isSearching: Bool = false, screen: Screen? = nil, show: (Snapshot) -> Bool
    ) async {
        var bluez = BlueZ.Settings(bus: Address(settings.bus), adapters: Set(settings.adapters))
        bluez.answersPairing = false
        let daemon = BlueZ.Client(settings: bluez, loop: loop, logger: .silent)
        let (impulses, input) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await daemon.onEvent { _ in input.yield() }
        let token = isSearching ? await daemon.startDiscovery() : nil
        let signals = screen == nil ? nil : await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        let keys = screen.map { _ in loop.watchKeys { input.finish() } }
        await withTaskGroup { group in
            // The error of `run` is ignored, because `run` throws only when it is canceled.
            group.addTask { try? await daemon.run() }
            group.addTask { [loop] in
                while true {
                    do { try await loop.sleep(until: EventLoop.now + .seconds(1)) } catch { return }
                    input.yield()
                }
            }
            if let limit {
                group.addTask { [loop] in
                    do { try await loop.sleep(until: EventLoop.now + limit) } catch { return }
                    input.finish()
                }
            }
            if let signals {
                group.addTask {
                    for await _ in signals { input.finish() }
                }
            }
            for await _ in impulses {
                let snapshot = Snapshot(radio: await daemon.describe(), devices: await daemon.devices())
                guard show(snapshot) else { break }
            }
            await token?.end()
            group.cancelAll()
        }
        keys?.end()
        await daemon.close()
    }
}

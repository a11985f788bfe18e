import BlueZ
import BridgeCore
import DBus
import Logging
import MQTT

/// Runs the bridge until the process is told to stop, and returns when everything has ended in good order.
///
/// - Parameters:
///   - settings: What the configuration says.
///   - host: The machine.
///   - logger: Where remarks go.
/// - Throws: ``CommandFailure`` with the exit code; any other error is an internal one.
func runBridge(
    settings: Settings, host: Host, logger: Logger
) async throws {
    let bridge = settings.bridge(version: TactileBridge.version, host: host.name)
    var bluetooth = BlueZ.Settings(
        bus: DBus.Address(settings.bluetooth.bus), adapters: Set(settings.bluetooth.adapters))
    bluetooth.acquiresNotifications = settings.bluetooth.acquires
    let composition = Composition(
        bridge: bridge,
        broker: settings.mqtt.configuration(
            will: MQTT.Configuration.Will(topic: bridge.availabilityTopic, payload: Array("offline".utf8))),
        bluetooth: bluetooth, store: FileStateStore(folder: settings.stateDirectory, logger: logger),
        logger: logger)
    try await composition.run()
}

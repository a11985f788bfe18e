import DBus
import EventLoop
import HostTesting
import Logging
import Testing

@testable import BlueZ

// Log lines for users.
extension ServiceTests {
    @Test("The log explains how to start bluetoothd, and names an absent adapter")
    func remedies() async throws {
        let bus = try PrivateBus()
        let loop = try EventLoop.start(name: "bluez-test")
        defer {
            bus.stop()
            loop.stop()
        }
        let log = LogRecord()
        var settings = Settings(bus: bus.address)
        settings.limits = BlueZScope.limits
        settings.adapters = ["hci0", "hci7"]
        let client = Client(settings: settings, loop: loop, logger: log.logger())
        let running = Task { try await client.run() }
        await log.wait(for: "bluetoothd is not running")
        let fake = try await FakeBlueZ.start(on: bus.address, loop: loop)
        await log.wait(for: "adapter is ready")
        await fake.vanish()
        await log.wait(for: "Bluetooth is unavailable")
        #expect(log.count(.warning, "sudo systemctl start bluetooth") == 2, "\(log.all)")
        #expect(log.count(.warning, "\"adapter\": hci7") == 1, "\(log.all)")
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        await client.close()
    }
}

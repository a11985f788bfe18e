import BlueZ
package import BridgeConfiguration
import DBus
package import EventLoop
package import Logging

/// Asks the bus for the owner of BlueZ's name, and BlueZ for its objects; changes nothing and starts nothing.
package struct BusProbe: Sendable {
    var settings: BluetoothSettings
    var host = HostProbe()

    package init(settings: BluetoothSettings, host: HostProbe = HostProbe()) {
        self.settings = settings
        self.host = host
    }

    /// The time limit for the bus, and for BlueZ.
    private static let patience = Duration.seconds(8)

    package func facts(on loop: EventLoop) async throws -> BusFacts {
        var facts = BusFacts(
            bus: settings.bus, user: HostProbe.user, isRoot: HostProbe.isRoot, connection: .open,
            isInstalled: host.hasBluetoothd, kernelAdapters: host.kernelAdapters)
        let connection: Connection
        do {
            connection = try await Connection.open(
                Address(settings.bus), loop: loop, timeout: Self.patience, logger: .silent)
        } catch let error as DBusError {
            facts.connection = .failed(name: error.name, message: error.message)
            return facts
        }
        facts.answer = try await answer(on: connection)
        await connection.close()
        return facts
    }

    private func answer(on connection: Connection) async throws -> BusFacts.Answer {
        do {
            // The owner is checked first, because the bus would start bluetoothd for a call if it is not running.
            guard try await connection.owner(of: Names.service) != nil else { return .nobody }
            let objects = try await connection.call(
                "GetManagedObjects", of: Names.objectManager, at: .root, on: Names.service,
                timeout: Self.patience)
            guard let objects = objects.first else { return .failed("an answer without objects") }
            var facts = BlueZFacts(managedObjects: objects)
            facts.acquires = settings.acquisition.applies(to: facts.version)
            for index in facts.controllers.indices {
                guard let address = facts.controllers[index].address else { continue }
                facts.controllers[index].holder = try? await connection.adapterHolder(
                    of: AdapterName.name(of: address))
            }
            return .objects(facts)
        } catch let error as DBusError {
            if error.name == DBusError.Name.accessDenied { return .denied(error.message) }
            return .failed(error.message.isEmpty ? error.name : error.message)
        }
    }
}

extension Logger {
    /// A logger that discards everything, because the checks report the problems.
    package static var silent: Logger { Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() } }
}

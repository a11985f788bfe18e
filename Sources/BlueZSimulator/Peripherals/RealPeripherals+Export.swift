import Bluetooth
import DBus
import EventLoop
import Logging
import VirtualDevices

extension RealPeripherals {
    /// Exports the applications, the advertisements and the agent.
    func export() throws {
        guard let connection else { return }
        let devices = devices
        let agent = agentInterface()
        let exports = devices.map { device in
            (
                device, advertisementInterface(of: device.name, device.advertisement),
                device.layout.services.map { service in
                    (
                        service,
                        service.characteristics.map { characteristicInterface($0, service, device.name) }
                    )
                }
            )
        }
        try connection.assumeIsolated { connection in
            try connection.export([agent], at: Self.agent)
            for (device, advertisement, services) in exports {
                connection.exportObjectManager(at: device.root)
                try connection.export([advertisement], at: device.advertisementPath)
                for (service, characteristics) in services {
                    try connection.export([Self.serviceInterface(service)], at: service.path)
                    for (characteristic, interface) in zip(service.characteristics, characteristics) {
                        try connection.export([interface], at: characteristic.path)
                    }
                }
            }
        }
    }

    /// Sets the properties of the exported advertisement object to the device's current advertisement.
    func updateAdvertisement(of index: Int) {
        let device = devices[index]
        onBus {
            try $0.setProperties(
                Self.properties(device.advertisement), of: BlueZName.advertisement,
                at: device.advertisementPath)
        }
    }

    /// Runs the body on the bus connection immediately, which is possible because the connection uses the same event
    /// loop.
    func onBus(_ body: @Sendable (isolated Connection) throws -> Void) {
        guard let connection else { return }
        do {
            try connection.assumeIsolated { try body($0) }
        } catch let error as DBusError where error.code == .closed {
            // The connection is closed, so no client can receive the message. The error is ignored.
        } catch {
            logger.error("a message cannot be sent on D-Bus", metadata: ["reason": "\(error)"])
        }
    }

    private static func serviceInterface(_ service: ApplicationLayout.Service) -> Interface {
        Interface(
            BlueZName.gattService,
            properties: [
                Property("UUID", "s", .string(service.uuid.description)),
                Property("Primary", "b", .bool(true)),
            ])
    }

    private func characteristicInterface(
        _ characteristic: ApplicationLayout.Characteristic, _ service: ApplicationLayout.Service,
        _ name: String
    ) -> Interface {
        let id = characteristic.id
        func subscription(_ member: String, _ isWanted: Bool) -> Method {
            .deferred(member) { [weak self] _, answer in
                self?.assumeIsolated { $0.subscribed(id, isWanted, of: name, answer) }
            }
        }
        return Interface(
            BlueZName.characteristic,
            methods: [
                .deferred("ReadValue", takes: "a{sv}", returns: "ay") { [weak self] call, answer in
                    self?.assumeIsolated { $0.read(id, of: name, call, answer) }
                },
                .deferred("WriteValue", takes: "aya{sv}") { [weak self] call, answer in
                    self?.assumeIsolated { $0.write(id, of: name, call, answer) }
                },
                subscription("StartNotify", true), subscription("StopNotify", false),
            ],
            properties: [
                Property("UUID", "s", .string(id.uuid.description)),
                Property("Service", "o", .objectPath(service.path)),
                Property("Flags", "as", .strings(characteristic.flags)),
                Property("Value", "ay", .bytes([])),
            ])
    }

    private func advertisementInterface(of name: String, _ advertisement: VirtualAdvertisement) -> Interface {
        let values = Self.properties(advertisement)
        return Interface(
            BlueZName.advertisement,
            methods: [
                .immediate("Release") { [weak self] _ in
                    self?.assumeIsolated { $0.advertisementReleased(of: name) }
                    return []
                }
            ],
            properties: [
                Property("Type", "s", .string("peripheral")),
                Property("LocalName", "s", values["LocalName"] ?? nil),
                Property("ServiceUUIDs", "as", values["ServiceUUIDs"] ?? nil),
                Property("Appearance", "q", values["Appearance"] ?? nil),
                Property("ManufacturerData", "a{qv}", values["ManufacturerData"] ?? nil),
                Property("ServiceData", "a{sv}", values["ServiceData"] ?? nil),
            ])
    }

    private static func properties(_ advertisement: VirtualAdvertisement) -> [String: Value?] {
        [
            "LocalName": .string(advertisement.name),
            "ServiceUUIDs": .strings(advertisement.services.map(\.description)),
            "Appearance": advertisement.appearance.map { .uint16($0) },
            "ManufacturerData": advertisement.manufacturerData.isEmpty
                ? nil : .manufacturerData(advertisement.manufacturerData),
            // bluetoothd rejects an advertisement whose service data is empty.
            "ServiceData": advertisement.serviceData.isEmpty
                ? nil : .serviceData(advertisement.serviceData.mapValues { $0.isEmpty ? [0] : $0 }),
        ]
    }

    private func agentInterface() -> Interface {
        func question(_ member: String, _ takes: Signature) -> Method {
            .immediate(member, takes: takes) { [weak self] call in
                guard self?.assumeIsolated({ $0.agrees(call) }) == true else {
                    throw DBusError(
                        name: "org.bluez.Error.Rejected", message: "Not an adapter of the simulator")
                }
                return []
            }
        }
        return Interface(
            BlueZName.agent,
            methods: [
                question("RequestAuthorization", "o"), question("RequestConfirmation", "ou"),
                question("AuthorizeService", "os"), .immediate("Cancel") { _ in [] },
                .immediate("Release") { _ in [] },
            ])
    }

    /// Whether the pairing agent accepts a call of bluetoothd about an adapter that serves a device. Access to a
    /// service is always accepted, pairing only if the device accepts a bond.
    private func agrees(_ call: MethodCall) -> Bool {
        guard let path = call.arguments.first?.objectPath,
            let device = devices.first(where: { path.isInside($0.adapterPath) })
        else { return false }
        return call.member == "AuthorizeService" || world.acceptsPairing(device.name)
    }

    private func advertisementReleased(of name: String) {
        guard let index = place(of: name) else { return }
        devices[index].registration.advertisementReleased()
        proceed(index)
    }
}

import DBus
import EventLoop
import VirtualDevices

extension RealPeripherals {
    private static let objectManager = "org.freedesktop.DBus.ObjectManager"
    private static let properties = "org.freedesktop.DBus.Properties"

    /// Subscribes to bluetoothd's signals about itself, its adapters and its devices.
    func subscribe(_ connection: Connection) async throws -> [Subscription] {
        var subscriptions = [
            try await connection.onOwnerChange(of: BlueZName.service) { [weak self] change in
                self?.assumeIsolated { server in
                    if change.oldOwner != nil { server.daemonLeft() }
                    if change.newOwner != nil { server.daemonCame() }
                }
            },
            try await connection.subscribe(
                MatchRule(sender: BlueZName.service, interface: Self.objectManager), for: self
            ) { server, message in
                guard let arguments = try? message.arguments() else { return }
                server.objectsChanged(message.member ?? "", arguments)
            },
        ]
        for device in devices {
            subscriptions.append(
                try await connection.subscribe(
                    MatchRule(
                        sender: BlueZName.service, interface: Self.properties, member: "PropertiesChanged",
                        pathNamespace: device.adapterPath, arguments: [0: BlueZName.device]), for: self
                ) { server, message in
                    guard let path = message.path, let arguments = try? message.arguments() else { return }
                    server.deviceChanged(path, arguments[1].properties ?? [:])
                })
        }
        return subscriptions
    }

    /// Handles an interface of an object of bluetoothd that exists at the start or is added later.
    func appeared(_ interface: String, at path: ObjectPath, _ properties: [String: Value]) {
        switch interface {
        case BlueZName.adapter:
            if let index = devices.firstIndex(where: { $0.adapterPath == path }) { adapterCame(index) }
        case BlueZName.device: deviceChanged(path, properties)
        default: break
        }
    }

    private func objectsChanged(_ member: String, _ arguments: [Value]) {
        guard arguments.count == 2, let path = arguments[0].objectPath else { return }
        if member == "InterfacesAdded" {
            for interface in arguments[1].entries ?? [] {
                guard let name = interface.key.string else { continue }
                appeared(name, at: path, interface.value.properties ?? [:])
            }
        } else if let names = arguments[1].strings {
            if names.contains(BlueZName.adapter),
                let index = devices.firstIndex(where: { $0.adapterPath == path })
            {
                adapterLeft(index)
            }
            if names.contains(BlueZName.device) {
                deviceChanged(path, ["Connected": .bool(false), "Paired": .bool(false)])
            }
        }
    }

    /// Handles changed properties of a client's object: whether the client is connected, and whether it has a bond.
    private func deviceChanged(_ path: ObjectPath, _ properties: [String: Value]) {
        guard let index = devices.firstIndex(where: { path.isInside($0.adapterPath) }) else { return }
        if let isPaired = properties["Paired"]?.bool { devices[index].setBond(path, isPaired) }
        if let isConnected = properties["Connected"]?.bool { setLink(path, up: isConnected, of: index) }
        // On later connections of a bonded client, bluetoothd signals `Connected` but not `Paired`. The device is
        // therefore informed about the bond on each connection.
        guard properties["Paired"] != nil || properties["Connected"] != nil,
            devices[index].links.contains(path), devices[index].bonds.contains(path)
        else { return }
        let name = devices[index].name
        carryOut { world, now in world.handle(.bonded, of: name, at: now) }
    }

    /// Handles a client's connection or disconnection. The virtual device receives a single connection for all clients
    /// together.
    func setLink(_ path: ObjectPath, up isUp: Bool, of index: Int) {
        let device = devices[index]
        guard device.links.contains(path) != isUp else { return }
        if isUp {
            devices[index].links.insert(path)
            guard device.links.isEmpty else { return }
            let mtu = world.peripheral(device.name)?.mtu ?? 23
            carryOut { world, now in
                device.subscriptions.reduce(
                    into: world.handle(.connected(mtu: mtu), of: device.name, at: now)
                ) { $0 += world.handle(.subscribed($1, true), of: device.name, at: now) }
            }
        } else {
            devices[index].links.remove(path)
            guard devices[index].links.isEmpty else { return }
            pacer.forget(device.name)
            carryOut { world, now in world.handle(.disconnected, of: device.name, at: now) }
        }
    }

    /// Closes the connections of a device.
    func closeLinks(of index: Int) {
        for link in devices[index].links {
            call(Message(call: "Disconnect", of: BlueZName.device, at: link, on: BlueZName.service)) { _, _ in
            }
        }
    }
}

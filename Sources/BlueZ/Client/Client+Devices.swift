import Bluetooth
import DBus
import EventLoop
import Logging

extension Client {
    func react(to change: ObjectTree.Change) {
        switch change {
        case .adapter(let was, let now): adapterChanged(was: was, now: now)
        case .device(let was, let now?): deviceChanged(was: was, now: now)
        case .device(let was?, nil): deviceRemoved(was)
        case .device(nil, nil): break
        case .gatt(let device):
            servicesFound(device)
            servicesChanged(device)
        case .battery(let device, let percent): batteryChanged(device, percent)
        }
    }

    private func deviceChanged(was: Device?, now: Device) {
        if let link = links[now.path] {
            if !now.isConnected {
                let reason = links.endReasons.removeValue(forKey: now.path)
                endLink(now.path, reason: DisconnectReason.words(reason: reason, wasAsked: link.isClosing))
            } else {
                if let rssi = now.rssi, rssi != was?.rssi { link.handler(.rssi(rssi)) }
                bondChanged(link, isPaired: now.isPaired)
                if now.services != was?.services { servicesFound(now.path) }
            }
        }
        if now.isConnected, was?.isConnected == false { links.endReasons[now.path] = nil }
        if !now.isConnected, was?.isConnected == true {
            let reason = links.endReasons[now.path]
            connects[now.address]?.lost(
                now.path, reason: DisconnectReason.words(reason: reason, wasAsked: false))
        }
        deviceHeard(now)
    }

    private func deviceRemoved(_ device: Device) {
        links.endReasons[device.path] = nil
        connects[device.address]?.objectRemoved(device.path)
        endLink(device.path, reason: "BlueZ removed the device")
        if let other = best(device.address) {
            deviceHeard(other)
        } else if tree.devices(device.address).isEmpty {
            gate.forget(device.address)
            tell(.forgotten(device.address))
        }
    }

    /// Reports a device if it has changed, and if its adapter is the best adapter for it (see ``Placement``).
    func deviceHeard(_ device: Device) {
        let now = EventLoop.now
        if device.rssi != nil, !device.isConnected {
            discovery.adapters[device.adapter]?.silence.heard(at: now)
        }
        guard adapters.usable.contains(device.adapter) else { return }
        guard adapters.usable.count == 1 || best(device.address)?.path == device.path else { return }
        let (advertisement, adapter) = (device.advertisement, device.adapter.name)
        if gate.admits(advertisement, adapter: adapter, at: now) {
            tell(.heard(advertisement, adapter: adapter))
        }
    }

    /// Replaces the link of a device that changed its services (Service Changed, for instance after a firmware update).
    ///
    /// The discovered characteristics are invalid then, and bluetoothd has removed the subscriptions. A device that
    /// disappears loses its services first; its link ends at the same time, without a renewal.
    private func servicesChanged(_ device: ObjectPath) {
        guard let link = links[device], !link.isClosing, link.renewal == nil,
            link.table.characteristics.values.contains(where: { tree.characteristics[$0.path] == nil })
        else { return }
        let number = link.number
        link.renewal = loop.schedule(after: limits.settleOptional) { [weak self] in
            self?.assumeIsolated { $0.renewLink(device, number) }
        }
    }

    /// Reports that a device with a link turned out to have the services of an input device.
    private func servicesFound(_ device: ObjectPath) {
        guard let link = links[device] else { return }
        let services = tree.allServices(of: device)
        let isNews = !services.subtracting(link.services).isDisjoint(with: UUID.inputServices)
        link.services.formUnion(services)
        if isNews { link.handler(.services(services)) }
    }

    private func renewLink(_ path: ObjectPath, _ number: UInt64) {
        guard let link = links[path], link.number == number, !link.isClosing else { return }
        logger.notice(
            "the device changed its services; reconnecting it",
            metadata: ["device": "\(link.address)"])
        endLink(path, reason: "the device changed its services")
        wake(.device(link.address))
        tellConnected(path)
    }

    /// Reports a device that stays connected after this program's link has ended, for instance because another program
    /// uses it. Without this report the listeners would not learn that a new link is possible, because no property of
    /// the device changes.
    func tellConnected(_ path: ObjectPath) {
        guard let device = tree.devices[path], device.isConnected else { return }
        tell(heard(device))
    }
}

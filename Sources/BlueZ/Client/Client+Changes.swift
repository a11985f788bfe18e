import Bluetooth
import DBus
import EventLoop
import Logging

extension Client {
    /// Passes on what a change of the tree means for others.
    func react(to change: ObjectTree.Change) {
        switch change {
        case .adapter(let was, let now): adapterChanged(was: was, now: now)
        case .device(let was, let now): deviceChanged(was: was, now: now)
        case .gatt(let device):
            servicesFound(device)
            servicesChanged(device)
        case .battery(let device, let percent): batteryChanged(device, percent)
        }
    }

    /// Whether the settings name the adapter.
    func isWanted(_ adapter: Adapter) -> Bool { settings.names(adapter) }

    /// Whether the settings name the adapter, and no other program has it.
    func isAllowed(_ adapter: Adapter) -> Bool {
        isWanted(adapter) && (settings.claims == nil || claimedAdapters.contains(adapter.name))
    }

    /// The same for an adapter by its path; false if it is not there.
    func isAllowed(_ path: ObjectPath) -> Bool { tree.adapters[path].map { isAllowed($0) } ?? false }

    func isUsable(_ adapter: Adapter) -> Bool { adapter.isPowered && isAllowed(adapter) }

    /// To be called whenever adapters or claims changed.
    func updateUsableAdapters() {
        usableAdapters = Set(tree.adapters.values.filter { isUsable($0) }.map(\.path))
    }

    func adapterChanged(was: Adapter?, now: Adapter?) {
        guard let adapter = now ?? was, isWanted(adapter) else { return }
        tellAbsentAdapters()
        let isHeld = now == nil && isHeldElsewhere(adapter)
        updateClaims()
        updateReadiness(of: adapter)
        if isHeld { tell(.adapterLost(adapter.name)) }
        if let now, was == nil, !now.isPowered, isAllowed(now) { foundOff(now) }
        updateDiscovery(adapter.path)
        if let was, let now, was.isDiscovering != now.isDiscovering {
            control(now.path) { $0.discoveringChanged(now.isDiscovering) }
        }
    }

    /// Tells whether an adapter can be used, if that changed.
    func updateReadiness(of adapter: Adapter) {
        let now = tree.adapters[adapter.path]
        let isReady = now.map { isUsable($0) } ?? false
        guard isReady != readyAdapters.contains(adapter.path) else { return }
        guard !isReady else {
            readyAdapters.insert(adapter.path)
            logger.info("adapter is ready", metadata: describe(now ?? adapter))
            tell(.adapterReady(adapter.name))
            return tellDevices(of: adapter)
        }
        readyAdapters.remove(adapter.path)
        // One that another program took is told otherwise: links on it are still there to be closed in good order.
        if let now, now.isPowered { return }
        let reason = now == nil ? "the adapter was removed" : "the adapter was switched off"
        logger.warning(
            "adapter is lost", metadata: describe(adapter).merging(["reason": "\(reason)"]) { $1 })
        tell(.adapterLost(adapter.name))
        loseAdapter(adapter, reason: reason)
    }

    /// Tells of all devices of an adapter that is ready: what changed before was not told, and a device that is connected
    /// does not advertise.
    private func tellDevices(of adapter: Adapter) {
        let devices = tree.devices.values.filter { $0.adapter == adapter.path }
        for device in devices.sorted(by: { $0.path < $1.path }) {
            gate.forget(device.address)
            deviceHeard(device)
        }
    }

    /// Tells which adapters the settings name that are not there, if that changed.
    func tellAbsentAdapters() {
        let absent = isServing ? settings.absent(among: tree.adapters.values) : []
        guard absent != absentAdapters else { return }
        let present = tree.adapters.values.map { "\($0.name) \($0.address?.description ?? "")" }.sorted()
        for name in absent where !absentAdapters.contains(name) {
            logger.warning(
                "an adapter that bluetooth.adapters names is not there",
                metadata: [
                    "adapter": "\(name)", "present": "\(present.joined(separator: ", "))",
                    "remedy": "plug it in, or name one that is there: bluetoothctl list",
                ])
        }
        absentAdapters = absent
        tell(.adaptersAbsent(absent))
    }

    /// Some BlueZ versions say `Connected = false` of an adapter's devices late, or not at all, when it goes.
    private func loseAdapter(_ adapter: Adapter, reason: String) {
        for path in links.devices where path.isInside(adapter.path) { endLink(path, reason: reason) }
        if tree.adapters[adapter.path] == nil { connects.queues[adapter.path] = nil }
    }

    func foundOff(_ adapter: Adapter) {
        guard settings.switchesAdaptersOn else {
            // bluetoothd switches its adapters on a moment after it told of them.
            logger.notice(
                "adapter is switched off so far",
                metadata: describe(adapter).merging(["remedy": "bluetoothctl power on"]) { $1 })
            return
        }
        start(
            "Set", of: Names.properties, at: adapter.path,
            [.string(Names.adapter), .string("Powered"), .variant(.bool(true))], limit: limits.question,
            subject: adapter.name
        ) { client, result in
            guard case .failure(let error) = result else { return }
            client.logger.warning(
                "adapter cannot be switched on",
                metadata: ["reason": "\(error)", "remedy": "rfkill unblock bluetooth"])
        }
    }

    /// A device may change its services under a link (Service Changed, as after an update of its firmware). What was
    /// found before is worth nothing then, and bluetoothd has ended the subscriptions; so the link is made anew. A
    /// device that goes loses its services first, which is told in the same moment: that comes to its end by itself.
    private func servicesChanged(_ device: ObjectPath) {
        guard let link = links[device], !link.isClosing, link.renewal == nil,
            link.table.characteristics.values.contains(where: { tree.characteristics[$0.path] == nil })
        else { return }
        let number = link.number
        link.renewal = loop.schedule(after: limits.settleOptional) { [weak self] in
            self?.assumeIsolated { $0.renewLink(device, number) }
        }
    }

    /// Tells of a device that shows itself to be an input device only now.
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
            "the device has changed its services; taking it up anew", metadata: ["device": "\(link.address)"])
        endLink(path, reason: "it has changed its services")
        wake(.device(link.address))
        // Nothing of the device changes, so that nothing else would tell that it can be had again.
        guard let device = tree.devices[path], device.isConnected else { return }
        tell(.heard(device.advertisement, adapter: device.adapter.name))
    }

    private func deviceChanged(was: Device?, now: Device?) {
        guard let now else {
            if let was { deviceRemoved(was) }
            return
        }
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
        endLink(device.path, reason: "the host forgot the device")
        let others = tree.devices(device.address)
        if let other = Placement.choose(others, usable: usableAdapters, full: fullAdapters) {
            deviceHeard(other)
        } else if others.isEmpty {
            gate.forget(device.address)
            heardAt[device.address] = nil
            tell(.forgotten(device.address))
        }
    }

    /// Tells of a device, if it is news and its adapter is the best of those that know it.
    func deviceHeard(_ device: Device) {
        if device.rssi != nil, !device.isConnected {
            discoveries[device.adapter]?.silence.heard(at: EventLoop.now)
        }
        let usable = usableAdapters
        guard usable.contains(device.adapter) else { return }
        if usable.count > 1 {
            let best = Placement.choose(tree.devices(device.address), usable: usable, full: fullAdapters)
            guard best?.path == device.path else { return }
        }
        let now = EventLoop.now
        if device.rssi != nil { heardAt[device.address] = now }
        let adapter = device.adapter.name
        guard gate.admits(device.advertisement, adapter: adapter, at: now) else { return }
        tell(.heard(device.advertisement, adapter: adapter))
    }

    func describe(_ adapter: Adapter) -> Logger.Metadata {
        ["adapter": "\(adapter.name)", "address": "\(adapter.address?.description ?? "unknown")"]
    }
}

import Bluetooth
import DBus
import EventLoop
import Logging

extension Client {
    /// Whether an adapter is present, the settings allow it, and no other program owns it.
    func isAllowed(_ path: ObjectPath) -> Bool { tree.adapters[path].map { adapters.isAllowed($0) } ?? false }

    /// Returns the device object to use for an address; nil if no usable adapter knows the device.
    func best(_ address: Bluetooth.Address) -> Device? {
        Placement.choose(tree.devices(address), usable: adapters.usable, full: adapters.full)
    }

    func adapterChanged(was: Adapter?, now: Adapter?) {
        guard let adapter = now ?? was, adapters.isWanted(adapter) else { return }
        tellAbsentAdapters()
        let isHeld = now == nil && holder(of: adapter) != nil
        updateLeases()
        updateReadiness(of: adapter)
        if isHeld { tell(.adapterLost(adapter.name)) }
        if let now, was == nil, !now.isPowered, adapters.isAllowed(now) { foundOff(now) }
        updateDiscovery(adapter.path)
        if let was, let now, was.isDiscovering != now.isDiscovering {
            control(now.path) { $0.discoveringChanged(now.isDiscovering) }
        }
    }

    /// Reports an adapter to the listeners if it has become ready, or is no longer ready.
    func updateReadiness(of adapter: Adapter) {
        let now = tree.adapters[adapter.path]
        switch adapters.updateReadiness(of: adapter.path, now: now) {
        case nil, .taken: return
        case .ready:
            logger.info("adapter is ready", metadata: describe(now ?? adapter))
            tell(.adapterReady(adapter.name))
            // Changes of the devices were not reported while the adapter was not ready. A connected device would never
            // be reported later, because it does not advertise.
            tellDevices(of: adapter, again: true)
        case .lost(let reason):
            logger.warning(
                "adapter can no longer be used",
                metadata: describe(adapter).merging(["reason": "\(reason)"]) { $1 })
            tell(.adapterLost(adapter.name))
            // When an adapter disappears, some BlueZ versions signal `Connected = false` of its devices late or never.
            for path in links.devices where path.isInside(adapter.path) { endLink(path, reason: reason) }
            if now == nil { connects.queues[adapter.path] = nil }
        }
    }

    /// Reports all devices of an adapter.
    ///
    /// - Parameter again: Whether to report also devices that have not changed since the last report.
    func tellDevices(of adapter: Adapter, again: Bool = false) {
        let devices = tree.devices.values.filter { $0.adapter == adapter.path }
        for device in devices.sorted(by: { $0.path < $1.path }) {
            if again { gate.tellAgain(device.address) }
            deviceHeard(device)
        }
    }

    /// Reports the adapters in the settings that are not present, if that list changed.
    func tellAbsentAdapters() {
        guard let new = adapters.updateAbsent(among: isServing ? tree.adapters.values : nil) else { return }
        let present = tree.adapters.values.map { "\($0.name) \($0.address?.description ?? "")" }.sorted()
        for name in new {
            logger.warning(
                "an adapter in bluetooth.adapters is not present",
                metadata: [
                    "adapter": "\(name)", "present": "\(present.joined(separator: ", "))",
                    "remedy": "plug it in, or configure an adapter that is present: bluetoothctl list",
                ])
        }
        tell(.adaptersAbsent(adapters.absent))
    }

    func foundOff(_ adapter: Adapter) {
        guard settings.switchesAdaptersOn else {
            // This is only a notice, because bluetoothd announces its adapters a moment before it switches them on.
            logger.notice(
                "adapter is switched off",
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

    func describe(_ adapter: Adapter) -> Logger.Metadata {
        ["adapter": "\(adapter.name)", "address": "\(adapter.address?.description ?? "unknown")"]
    }
}

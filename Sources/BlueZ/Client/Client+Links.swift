import Bluetooth
import DBus
import EventLoop
import Logging

extension Client {
    func link(_ number: UInt64) -> LinkState? { links[number: number] }

    private func subscriptions(of link: LinkState) -> [(path: ObjectPath, sink: NotificationSink)] {
        link.table.characteristics.values.map(\.path).sorted().compactMap { path in
            sinks[path].flatMap { $0.link === link ? (path, $0) : nil }
        }
    }

    /// Ends a link: its operations end, and its handler hears of it last.
    func endLink(_ path: ObjectPath, reason: String) {
        guard let link = links.remove(path) else { return }
        link.isLost = true
        updateAgent()
        link.renewal?.cancel()
        for (path, sink) in subscriptions(of: link) {
            sink.finish()
            sinks[path] = nil
        }
        for call in link.calls { finish(call, .failure(link.lostError(call.member))) }
        logger.debug("link is gone", metadata: ["device": "\(link.address)", "reason": "\(reason)"])
        link.handler(.lost(reason: reason))
        // Controllers report a device once in 10 s of discovery; this one is to be heard as soon as it is back.
        if isServing, let adapter = path.parent { control(adapter) { $0.renew() } }
    }

    /// Closes a link on request.
    func disconnect(link number: UInt64) async {
        guard let link = link(number) else { return }
        link.isClosing = true
        if link.isShared, tree.devices[link.device]?.isPaired == true { return await leave(link) }
        await closeLink(link.device, of: link.address)
        // bluetoothd did not answer, or keeps the link for another program: for this one it is over.
        guard links[link.device] === link else { return }
        endLink(link.device, reason: "disconnected by this bridge")
        wake(.device(link.address))
    }

    /// Leaves a link to other programs on request.
    func leave(link number: UInt64) async {
        guard let link = link(number) else { return }
        link.isClosing = true
        await leave(link)
    }

    /// Ends this program's part of a link that the system uses too: its subscriptions.
    private func leave(_ link: LinkState) async {
        for (path, sink) in subscriptions(of: link) where !sink.isAcquired {
            sinks[path] = nil
            _ = await operate("StopNotify", at: path, link, sink.characteristic)
        }
        guard links[link.device] === link else { return }
        endLink(link.device, reason: "left to the system by this bridge")
        wake(.device(link.address))
        // Nothing of the device changes, so that nothing else would tell that it can be had again.
        guard let device = tree.devices[link.device], device.isConnected else { return }
        tell(.heard(device.advertisement, adapter: device.adapter.name))
    }
}

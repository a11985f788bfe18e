import Bluetooth
import DBus
import EventLoop
import Logging

extension Client {
    private func subscriptions(of link: LinkState) -> [(path: ObjectPath, sink: NotificationSink)] {
        link.table.characteristics.values.map(\.path).sorted().compactMap { path in
            sinks[path].flatMap { $0.link === link ? (path, $0) : nil }
        }
    }

    /// Removes a link: its operations end first, and its handler is called last.
    func endLink(_ path: ObjectPath, reason: String) {
        guard let link = links.remove(path) else { return }
        link.phase = .lost
        updateAgent()
        link.renewal?.cancel()
        for (path, sink) in subscriptions(of: link) {
            sink.finish()
            sinks[path] = nil
        }
        for call in link.calls { finish(call, .failure(link.lostError(call.member))) }
        logger.debug("the link ended", metadata: ["device": "\(link.address)", "reason": "\(reason)"])
        link.handler(.lost(reason: reason))
        // Some controllers report a device only once in 10 s of discovery. After a restart of discovery, the controller
        // reports the disconnected device as soon as it advertises again.
        if isServing, let adapter = path.parent { control(adapter) { $0.renew() } }
    }

    /// Ends a link on request.
    ///
    /// - Parameter staysConnected: Whether the device stays connected for other programs, without this program's
    ///   subscriptions. A bonded input device always stays connected: the host would not connect it automatically
    ///   again.
    func disconnect(link number: UInt64, staysConnected: Bool = false) async {
        guard let link = links[number: number] else { return }
        link.phase = .closing
        let isLeft = staysConnected || link.isShared && tree.devices[link.device]?.isPaired == true
        if isLeft {
            for (_, sink) in subscriptions(of: link) where !sink.isAcquired {
                _ = await perform(.unsubscribe(sink.characteristic), link: number)
            }
        } else {
            await closeLink(link.device, of: link.address)
        }
        // bluetoothd may not have answered, or may keep the link for another program. In either case this program
        // treats the link as ended.
        guard links[link.device] === link else { return }
        endLink(
            link.device,
            reason: isLeft ? "left connected for the host by this bridge" : "disconnected by this bridge")
        wake(.device(link.address))
        if isLeft { tellConnected(link.device) }
    }
}

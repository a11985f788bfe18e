import Bluetooth
import DBus

extension Client {
    /// Returns the next step of a connection attempt.
    func step(_ device: Device) -> ConnectAttempt.Step {
        connects[device.address]?.step(
            device: tree.devices[device.path], found: tree.characteristicIDs(of: device.path)) ?? .wait
    }

    /// Returns the next step; throws if the attempt has failed or the task is canceled.
    func requireStep(_ device: Device) throws(BlueZError) -> ConnectAttempt.Step {
        let step = step(device)
        if case .failed(let error) = step { throw error }
        guard !Task.isCancelled else { throw failure(.cancelled, device, "the attempt was canceled") }
        return step
    }

    func failure(_ code: BlueZError.Code, _ device: Device, _ reason: String) -> BlueZError {
        BlueZError(code, "Connect", on: device.address.description, reason)
    }

    /// Calls `Connect` and waits until the link is up. bluetoothd may answer only after service discovery, or after its
    /// own timeout of 40 s. The client does not wait that long: it continues as soon as the link is up, and gives up
    /// after ``Limits/connect``. So the adapter is soon available for the next device.
    func callConnect(_ device: Device) async throws(BlueZError) {
        let (path, address) = (device.path, device.address)
        _ = try requireStep(device)
        guard tree.devices[path] != nil else {
            throw failure(.unknownDevice, device, "BlueZ removed the device")
        }
        let number = makeNumber()
        connects[address]?.enter(.calling(.init(path: path, number: number)))
        start(
            "Connect", of: Names.device, at: path, limit: limits.connect * 2, subject: address.description
        ) { client, result in
            client.connects[address]?.answered(number, result.map { _ in })
            client.wake(.device(address))
        }
        _ = await until(.device(address), limits.connect) {
            self.step(device) != .wait || self.connects[address]?.answer != nil
        }
        if try requireStep(device) == .wait {
            guard let answer = connects[address]?.answer else {
                throw failure(
                    .unreachable, device,
                    "no answer within \(limits.connect.components.seconds) s: out of range or switched off")
            }
            // If bluetoothd refused the call and the attempt still continues, another program is connecting the device.
            // That program's attempt may take as long as a whole `Connect`, so the client waits that long.
            let isOwn = if case .success = answer { true } else { false }
            await awaitLink(device, within: isOwn ? limits.quiet : limits.connect)
        }
        guard try requireStep(device) == .linked else {
            throw failure(.unreachable, device, "the link was not established")
        }
        connects[address]?.linked()
    }

    /// Waits until the link is known to be up or lost.
    ///
    /// Not every link is signaled: if bluetoothd sees the ATT channel before the kernel's event, it sets `Connected`
    /// without a signal (BlueZ 5.66, src/device.c, `att_connect_cb`; its log then contains "is already connected"). So
    /// the client reads the property. It reads it again when the services are resolved, which covers a link that
    /// another program establishes.
    private func awaitLink(_ device: Device, within limit: Duration) async {
        // `isResolved` is read before the first call. If that call answers that the device is disconnected, and the
        // services become resolved afterwards, the change is noticed below and `Connected` is read again.
        let wasResolved = tree.devices[device.path]?.isResolved ?? false
        await askConnected(device)
        _ = await until(.device(device.address), limit) {
            self.step(device) != .wait || !wasResolved && self.tree.devices[device.path]?.isResolved ?? false
        }
        if step(device) == .wait { await askConnected(device) }
    }

    /// Reads `Connected` from bluetoothd; the tree receives the answer in order with the signals.
    private func askConnected(_ device: Device) async {
        let (path, life) = (device.path, life)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            start(
                "Get", of: Names.properties, at: path, [.string(Names.device), .string("Connected")],
                limit: limits.question, subject: device.address.description
            ) { client, result in
                defer { continuation.resume() }
                guard client.life == life, case .success(let arguments) = result,
                    let value = arguments.first?.unwrapped
                else { return }
                client.take(
                    .changed(path, interface: Names.device, ["Connected": value], invalidated: []))
            }
        }
    }
}

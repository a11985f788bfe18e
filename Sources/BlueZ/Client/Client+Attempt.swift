public import Bluetooth
import DBus

/// One call of `Connect`, and what came of it so far.
struct ConnectAttempt {
    let number: UInt64
    var answer: Result<[Value], BlueZError>?
    /// Why the link that had come about is gone again.
    var lossReason: String?
}

extension Client {
    /// Ends an attempt to connect to a device that another host has got, also one that waits for its turn: the
    /// peripheral advertises no more, and the adapter would be kept from other devices until the time is over.
    public func giveUp(_ address: Bluetooth.Address) {
        let isAnswered = tree.devices(address).contains { attempts[$0.path]?.answer != nil }
        guard connecting[address] != nil, !isAnswered else { return }
        givenUp.insert(address)
        wake(.device(address))
    }

    private func requireWanted(_ address: Bluetooth.Address) throws(BlueZError) {
        guard !givenUp.contains(address) else {
            throw BlueZError(.unreachable, "Connect", on: address.description, "another host has it")
        }
    }

    /// Calls `Connect` and waits until BlueZ says that the link is there.
    func callConnect(_ device: Device) async throws(BlueZError) {
        let (path, address, life) = (device.path, device.address, life)
        let subject = address.description
        guard tree.devices[path] != nil else {
            throw BlueZError(.unknownDevice, "Connect", on: subject, "the host forgot the device")
        }
        try requireWanted(address)
        let number = makeNumber()
        attempts[path] = ConnectAttempt(number: number)
        defer { attempts[path] = nil }
        // The answer of an attempt that was given up comes later, or never.
        start("Connect", of: Names.device, at: path, limit: limits.connect * 2, subject: subject) {
            client, result in
            guard client.attempts[path]?.number == number else { return }
            client.attempts[path]?.answer = result
            client.wake(.device(address))
        }
        _ = await until(.device(address), limits.connect) {
            self.attempts[path].map { $0.answer != nil } ?? true || self.givenUp.contains(address)
                || self.life != life || self.tree.devices[path] == nil
        }
        try requireConnectable(path, subject, life)
        try requireWanted(address)
        guard let answer = attempts[path]?.answer else {
            throw BlueZError(
                .unreachable, "Connect", on: subject,
                "no answer in \(limits.connect.components.seconds) s: out of reach, or switched off")
        }
        var patience = limits.quiet
        if case .failure(let error) = answer {
            // Another program is connecting it, or has: what counts is whether it is connected in the end.
            guard error.code == .inProgress || error.code == .alreadyDone else { throw error }
            patience = limits.connect
        }
        await awaitLink(path, address, life, within: patience)
        try requireConnectable(path, subject, life)
        if tree.devices[path]?.isConnected == true { return }
        guard let reason = attempts[path]?.lossReason else {
            throw BlueZError(.unreachable, "Connect", on: subject, "the link did not come about")
        }
        throw BlueZError(.refused, "Connect", on: subject, "connected, but then: \(reason)")
    }

    /// Waits until it is known that the link is there, or gone again.
    ///
    /// The signal is not relied on: where bluetoothd sees the ATT channel before the kernel's word of the link, it
    /// sets `Connected` without any (BlueZ 5.66, src/device.c, `att_connect_cb`; its log then says "is already
    /// connected"). So the property is asked for; and once more when the services become known, for a link that
    /// another program makes.
    private func awaitLink(
        _ path: ObjectPath, _ address: Bluetooth.Address, _ life: UInt64, within limit: Duration
    ) async {
        let isSettled: () -> Bool = {
            self.life != life || self.attempts[path]?.lossReason != nil
                || self.tree.devices[path]?.isConnected ?? true
        }
        guard !isSettled() else { return }
        // From before the question: the services may become known behind its answer, which does not say so yet.
        let wasResolved = tree.devices[path]?.isResolved ?? false
        await askConnected(path, address.description)
        _ = await until(.device(address), limit) {
            isSettled() || !wasResolved && self.tree.devices[path]?.isResolved ?? false
        }
        guard !isSettled() else { return }
        await askConnected(path, address.description)
    }

    /// Asks bluetoothd whether a device is connected; the tree takes the answer in its place among the signals.
    private func askConnected(_ path: ObjectPath, _ subject: String) async {
        let life = life
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            start(
                "Get", of: Names.properties, at: path, [.string(Names.device), .string("Connected")],
                limit: limits.question, subject: subject
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

    private func requireConnectable(_ path: ObjectPath, _ subject: String, _ life: UInt64) throws(BlueZError)
    {
        guard self.life == life else { throw away("Connect", subject) }
        guard tree.devices[path] != nil else {
            throw BlueZError(.unknownDevice, "Connect", on: subject, "the host forgot the device meanwhile")
        }
        guard !Task.isCancelled else {
            throw BlueZError(.cancelled, "Connect", on: subject, "not wanted any more")
        }
    }
}

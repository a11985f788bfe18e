import Bluetooth
import DBus

/// One call of `Connect`, and what came of it so far.
struct ConnectAttempt {
    let number: UInt64
    var answer: Result<[Value], BlueZError>?
    /// Why the link that had come about is gone again.
    var lossReason: String?
}

extension Daemon {
    /// Calls `Connect` and waits until BlueZ says that the link is there.
    func callConnect(_ device: Device) async throws(BlueZError) {
        let (path, subject, life) = (device.path, device.address.description, life)
        guard tree.devices[path] != nil else {
            throw BlueZError(.unknownDevice, "Connect", on: subject, "the host forgot the device")
        }
        let number = makeNumber()
        attempts[path] = ConnectAttempt(number: number)
        defer { attempts[path] = nil }
        // The answer of an attempt that was given up comes later, or never.
        start("Connect", of: Names.device, at: path, limit: limits.connect * 2, subject: subject) {
            daemon, result in
            guard daemon.attempts[path]?.number == number else { return }
            daemon.attempts[path]?.answer = result
            daemon.wake()
        }
        _ = await until(limits.connect) {
            self.attempts[path]?.answer != nil || self.life != life || self.tree.devices[path] == nil
        }
        try requireConnectable(path, subject, life)
        guard let answer = attempts[path]?.answer else {
            throw BlueZError(
                .unreachable, "Connect", on: subject,
                "no answer in \(limits.connect.components.seconds) s: out of reach, or switched off")
        }
        if case .failure(let error) = answer {
            // Somebody else is connecting it, or has: what counts is whether it is connected in the end.
            guard error.code == .inProgress || error.code == .alreadyDone else { throw error }
        }
        // The answer may come before the signal that tells of the link.
        _ = await until(limits.connect) {
            self.life != life || self.attempts[path]?.lossReason != nil
                || self.tree.devices[path]?.isConnected ?? true
        }
        try requireConnectable(path, subject, life)
        if tree.devices[path]?.isConnected == true { return }
        guard let reason = attempts[path]?.lossReason else {
            throw BlueZError(.unreachable, "Connect", on: subject, "the link did not come about")
        }
        throw BlueZError(.refused, "Connect", on: subject, "connected, but then: \(reason)")
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

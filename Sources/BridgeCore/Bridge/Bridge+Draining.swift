import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Logging

// The bridge disconnects all its devices, so that you can upgrade its host while other hosts have the devices.
extension Bridge {
    /// Disconnects every device and makes no new Bluetooth connections.
    func drain(_ pending: PendingRequest) {
        let sessions = fleet.inOrder
        let devices = sessions.map { session in
            (number: session.context.enter.number, name: session.name, isLinked: session.link != nil)
        }
        guard draining.begin(pending, devices) else { return answerDrained() }
        logger.notice(
            "draining started: the bridge disconnects its devices and connects none",
            metadata: ["devices": "\(draining.names.count)"])
        endPermit(.ended)
        reportInfo()
        for session in sessions {
            let number = session.context.enter.number
            session.drain { _ in
                self.draining.closed(number)
                self.answerDrained()
            }
        }
        updateDiscovery()
        answerDrained()
    }

    private func answerDrained() {
        let names = draining.names.map { JSON.Value.string($0) }
        for pending in draining.takeAnswered() { answer(pending, .ok(["devices": .array(names)])) }
    }

    /// Ends draining: the bridge connects its devices again.
    func undrain() -> JSON.Object {
        let (wasOn, waiting) = draining.end()
        for pending in waiting { refuse(pending, CommandError(.busy, "canceled by undrain")) }
        guard wasOn else { return ["was_draining": false] }
        logger.notice("draining ended: the bridge connects devices again")
        for session in fleet.all { session.undrain() }
        reportInfo()
        updateDiscovery()
        return ["was_draining": true]
    }

    /// Throws if the bridge is draining, because it then makes no Bluetooth connections.
    func refuseWhileDraining() throws(CommandError) {
        guard draining.isOn else { return }
        throw CommandError(
            .notSupported, "\(Supervision.drainReason): send \(topics.own("request/undrain")) first")
    }
}

import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import JSON

// The request `scan`, which lists the devices in range. The bridge neither admits nor connects them.
extension Bridge {
    func scan(_ asked: BridgeFeatures.Scan, _ pending: PendingRequest) throws(CommandError) {
        let state = radio.state
        guard state.isReady else {
            throw CommandError(
                .notSupported, "\(state.reason ?? "no Bluetooth adapter is ready"): \(state.advice)")
        }
        let now = ports.time.now
        let end = now + .seconds(asked.seconds)
        guard scans.start(pending, from: now, to: end) else {
            throw CommandError(.busy, "\(ScanDesk.limit) scans are running; wait until one ends")
        }
        armScans()
        updateDiscovery()
        // Connected devices do not advertise, so the radio reports them again.
        spawn { await $0.ports.radio.replayKnown() }
    }

    /// Takes an advertisement that arrived during a scan.
    func found(_ advertisement: Advertisement, over adapter: String) {
        let families = families.recognizing(advertisement).map(\.name)
        scans.hear(advertisement, families, over: adapter, at: ports.time.now)
    }

    func scansAreDue() {
        answer(scans.take(endingBy: ports.time.now))
        armScans()
        updateDiscovery()
    }

    /// Answers the current scans with the devices that were found so far, because the bridge stops.
    func endScans() { answer(scans.take(endingBy: nil)) }

    private func armScans() { if let next = scans.nextEnd { startTimer(.scan, at: next) } }

    private func answer(_ results: [ScanDesk.Result]) {
        for result in results {
            let listed = result.found.prefix(BridgeFeatures.scanLimit).map { JSON.Value.object(describe($0)) }
            answer(
                result.pending,
                .ok([
                    "devices": .array(listed), "left_out": .integer(result.found.count - listed.count),
                ]))
        }
    }

    private func describe(_ entry: DiscoveryBook.Entry) -> JSON.Object {
        let (advertisement, device) = (entry.advertisement, fleet[entry.advertisement.address])
        func text(_ text: String?) -> JSON.Value { text.map { .string($0) } ?? .null }
        return [
            "address": .string(advertisement.address.description), "name": text(advertisement.name),
            "rssi": advertisement.rssi.map { .integer($0) } ?? .null,
            "families": .array(entry.families.map { .string($0) }), "device": text(device?.name),
            "connected": .bool(advertisement.isConnected), "paired": .bool(advertisement.isPaired),
            "adapter": text(entry.adapter),
            "advice": device == nil ? text(advice(for: entry)) : .null,
        ]
    }

    private func advice(for entry: DiscoveryBook.Entry) -> String? {
        let address = entry.advertisement.address
        guard !entry.families.isEmpty else { return "tactile-bridge probe \(address)" }
        return settings.join == .permit ? permitLine(address) : nil
    }
}

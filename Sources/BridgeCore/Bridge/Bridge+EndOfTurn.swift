import BridgeContract
import BridgeParts

// Work that is done once in a turn of the event loop, for any number of changed devices.
extension Bridge {
    /// Schedules the work at the end of this turn of the event loop.
    func endTurn() {
        guard rounds.schedule() else { return }
        spawn { bridge in
            bridge.rounds.begin()
            for session in bridge.announcements.takeChanged().compactMap({ bridge.fleet[$0] }) {
                bridge.announce(session)
            }
            // The remaining work looks at all devices, so it waits until all devices in the start queue are added.
            guard bridge.arrivals.isEmpty else { return }
            bridge.updateDiscovery()
            bridge.updateStallDetection()
            bridge.reportDevicesInTime()
            bridge.reportGroupsInTime()
            bridge.awaitRest()
        }
    }

    // MARK: Memory

    /// Schedules the return of free heap memory for when all devices have been idle for a while. A device needs more
    /// memory while it connects than afterwards.
    private func awaitRest() {
        if let moment = rest.changed(at: ports.time.now) { startTimer(.rest, at: moment) }
    }

    func restIsDue() {
        guard !isStopping else { return }
        switch rest.decide(at: ports.time.now, isBusy: fleet.all.contains(where: \.isBusy)) {
        case .wait(let moment): startTimer(.rest, at: moment)
        case .tidy: ports.process.returnFreeMemory()
        }
    }

    // MARK: Discovery

    /// Runs discovery only while a device needs it, because discovery takes air time from the Bluetooth connections.
    func updateDiscovery() {
        guard !isStopping else { return }
        let isWanted =
            admission.permit != nil || settings.join == .always && !draining.isOn
            || awaitsRosterDevice || scans.isRunning
            || fleet.all.contains { $0.connector.supervision.wantsDiscovery || $0.needsAdvertisements }
        guard let change = discovery.want(isWanted) else { return }
        spawn { await $0.changeDiscovery(change) }
    }

    private func changeDiscovery(_ change: DiscoveryControl.Change) async {
        var token: (any DiscoveryToken)?
        switch change {
        case .start: token = await ports.radio.startDiscovery()
        case .end(let old): await old.end()
        }
        if isStopping {
            await token?.end()
            token = nil
        }
        discovery.changed(to: token)
        updateDiscovery()
    }
}

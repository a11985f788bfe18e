import BridgeContract
import BridgeParts

// What is done once a round of the loop, whatever the number of devices that changed in it.
extension Bridge {
    /// Does once, behind all that happens in this round, what follows from changes of any number of devices.
    func tidyUp() {
        guard rounds.schedule() else { return }
        spawn { bridge in
            bridge.rounds.begin()
            for session in bridge.announcements.takeChanged().compactMap({ bridge.fleet[$0] }) {
                bridge.announce(session)
            }
            // What looks at all devices does so when those that come are there.
            guard bridge.arrivals.isEmpty else { return }
            bridge.updateDiscovery()
            bridge.updateStallDetection()
            bridge.reportDevicesInTime()
            bridge.awaitRest()
        }
    }

    // MARK: Memory

    /// Comes back when the devices have stood still for a while, to give back the memory that their set-up needed.
    private func awaitRest() {
        if let moment = rest.changed(at: world.time.now) { startTimer(.rest, at: moment) }
    }

    func restIsDue() {
        guard !isStopping else { return }
        switch rest.decide(at: world.time.now, isBusy: fleet.all.contains(where: \.isBusy)) {
        case .wait(let moment): startTimer(.rest, at: moment)
        case .tidy: world.process.returnFreeMemory()
        }
    }

    // MARK: Discovery

    /// Lets discovery run while a device needs it, and not longer: it costs the links air time.
    func updateDiscovery() {
        guard !isStopping else { return }
        let isWanted =
            admission.permit != nil || settings.join == .always && !draining.isOn
            || awaitsRosterDevice || scans.isRunning
            || fleet.all.contains { $0.connector.supervision.wantsDiscovery }
        guard let change = discovery.want(isWanted) else { return }
        spawn { await $0.changeDiscovery(change) }
    }

    private func changeDiscovery(_ change: DiscoveryControl.Change) async {
        var token: (any DiscoveryToken)?
        switch change {
        case .start: token = await world.radio.startDiscovery()
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

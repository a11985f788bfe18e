// What is done once a round of the loop, whatever the number of devices that changed in it.
extension Bridge {
    /// Does once, behind all that happens in this round, what follows from changes of any number of devices.
    func tidyUp() {
        guard !isTidyingUp else { return }
        isTidyingUp = true
        spawn { bridge in
            bridge.isTidyingUp = false
            bridge.updateDiscovery()
            bridge.updateStallDetection()
            for address in bridge.unannounced.sorted() {
                if let session = bridge.sessions[address] { bridge.announce(session) }
            }
            bridge.unannounced = []
            bridge.reportDevicesInTime()
        }
    }

    // MARK: Discovery

    /// Lets discovery run while somebody needs it, and not longer: it costs the links air time.
    func updateDiscovery() {
        guard !isChangingDiscovery, !isStopping else { return }
        let isWanted =
            permit != nil || settings.join == .always
            || sessions.values.contains { $0.connector.supervision.wantsDiscovery }
        guard isWanted != (discovery != nil) else { return }
        isChangingDiscovery = true
        spawn { await $0.changeDiscovery(isWanted) }
    }

    private func changeDiscovery(_ isWanted: Bool) async {
        let old = discovery
        discovery = isWanted ? await world.radio.startDiscovery() : nil
        await old?.end()
        isChangingDiscovery = false
        if isStopping {
            await discovery?.end()
            discovery = nil
        }
        updateDiscovery()
    }
}

import BridgeParts
import DeviceKit

// How the bridge adds devices that already have a name: at the start, after a reload, and from a backup.
extension Bridge {
    /// Creates sessions for devices that have their names, a few in each turn of the event loop.
    ///
    /// Returns when all sessions exist, or when the bridge stops.
    func takeUp(_ members: [FleetPlan.Member]) async {
        arrivals.add(members)
        guard !arrivals.isEmpty else { return }
        await withCheckedContinuation { waiter in
            if arrivals.begin(waiter) { takeTurn() }
        }
    }

    private func takeTurn() {
        let members = isStopping ? [] : arrivals.next()
        for member in members { takeUp(member) }
        guard members.isEmpty else { return spawn { $0.takeTurn() } }
        arrivals.end()
        reportDevices()
    }

    private func takeUp(_ member: FleetPlan.Member) {
        // The device may have been removed while it was in the queue.
        guard fleet[member.address] == nil, fleet.names[member.address] == member.name,
            let family = fleet.family(member.family)
        else { return }
        addSession(family, member.address, settings: member.settings)
    }
}

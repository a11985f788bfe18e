import BridgeParts
import DeviceKit

// How devices that have a name already are taken up: at the start, after a reload, out of a backup.
extension Bridge {
    /// Begins to look after devices that have their names, some of them in each turn of the loop.
    ///
    /// - Returns: When all are there, or the bridge ends.
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
        // It may have been let go meanwhile.
        guard fleet[member.address] == nil, fleet.names[member.address] == member.name,
            let family = fleet.family(member.family)
        else { return }
        addSession(family, member.address, settings: member.settings)
    }
}

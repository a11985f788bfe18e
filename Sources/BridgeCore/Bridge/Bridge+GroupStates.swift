import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import JSON
import Messages

// The states of groups. Each bridge publishes the sum of the members that it has, so that the states of all bridges add
// up to the state of the group.
extension Bridge {
    /// Schedules a report of the groups.
    func groupsChanged() {
        groupReports.changed()
        endTurn()
    }

    /// Publishes the states of the groups, or waits until their rate limit allows it, and until the owner of each device
    /// is known. Otherwise a bridge that starts or connects to the broker again would report too few members at first.
    func reportGroupsInTime() {
        guard stage != .silent, groupReports.areChanged,
            isStopping || !fleet.all.contains(where: \.ownership.isUnknown)
        else { return }
        let begin = ports.time.now
        switch groupReports.take(at: begin) {
        case .publish: reportGroups(from: begin)
        case .wait(let moment): startTimer(.groups, at: moment)
        case nil: break
        }
    }

    private func reportGroups(from begin: Duration) {
        let here = Dictionary(uniqueKeysWithValues: fleet.all.map { ($0.address, member($0)) })
        let groups = groupsWithDevices
        for (group, sessions) in groups {
            let state = GroupState(sessions.compactMap { here[$0.address] ?? nil })
            reportState(GroupFeatures.state(of: group).name, state.value)
        }
        let before = groupReports.current
        let gone = groupReports.publish(Set(groups.map(\.group)), from: begin, to: ports.time.now)
        // The announcement goes first, so that no client shows the cleared topics.
        if before != groupReports.current { announceBridge() }
        for group in gone { withdrawState(GroupFeatures.state(of: group).name) }
    }

    /// The groups of which this bridge knows a device, with these devices.
    private var groupsWithDevices: [(group: String, sessions: [DeviceSession])] {
        fleet.groups.names.compactMap { group in
            let sessions = fleet.members(of: group, formerNames).compactMap(\.session)
            return sessions.isEmpty ? nil : (group, sessions)
        }
    }

    /// Drops the groups of an earlier run that no longer exist.
    ///
    /// - Returns: The topics of the states of groups that this run publishes.
    func dropEarlierGroups() -> [String] {
        let groups = Set(groupsWithDevices.map(\.group))
        if groupReports.dropEarlier(besides: groups) { announceBridge() }
        return groups.map(topics.groupState)
    }

    /// What a device contributes to its groups; nil if another bridge has it.
    private func member(_ session: DeviceSession) -> GroupState.Member? {
        guard session.ownership.isOurs else { return nil }
        return GroupState.Member(
            isOnline: session.isReady, battery: session.groupValues.battery,
            isPlaying: session.groupValues.isPlaying, isStopped: latches.isSet(session.address))
    }

    /// Reads which groups an earlier run published.
    func restoreGroupStates() {
        let root = topics.groupState("")
        let groups = kept.state.retainedTopics.filter { $0.hasPrefix(root) }
        groupReports.restore(Set(groups.map { String($0.dropFirst(root.count)) }))
    }
}

import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import HomeAssistant
import JSON
import Messages

// Messages of the bridge about itself and its devices.
extension Bridge {
    /// Publishes one of the bridge's own states, if it changed.
    ///
    /// - Parameter again: Whether an unchanged state is published too; it then precedes all queued messages.
    func reportState(_ name: String, _ value: JSON.Value, again: Bool = false) {
        guard let payload = reports.state(name, value, again: again) else { return }
        keep { $0.keep(topic: topics.own(name)) }
        ports.broker.publish(
            OutgoingMessage(topic: topics.own(name), payload: payload, policy: .state, isUrgent: again))
    }

    /// Clears one of the bridge's own states.
    func withdrawState(_ name: String) {
        reports.forget(name)
        clear(topics.own(name))
        noteCleared([topics.own(name)])
    }

    func reportEvent(_ event: String, _ details: JSON.Object = [:]) {
        let payload = reports.event(event, details, date: ports.time.date)
        ports.broker.publish(OutgoingMessage(topic: topics.own("event"), payload: payload, policy: .event))
    }

    /// The members that describe a device in an event.
    func describe(_ session: DeviceSession) -> JSON.Object {
        [
            "device": .string(session.name), "family": .string(session.family.name),
            "address": .string(session.address.description),
        ]
    }

    /// The value of the state `devices`.
    var deviceList: JSON.Value {
        let devices = fleet.inOrder.map { session in
            JSON.Value.object([
                "name": .string(session.name), "family": .string(session.family.name),
                "display_name": displayName(of: session),
                "address": .string(session.address.description),
                "availability": session.isReady ? "online" : "offline",
                "features": session.featureNames,
                "no_offer": session.noOffer.map { .string($0.rawValue) } ?? .null,
            ])
        }
        return .array(devices)
    }

    /// The display name of a device: of the configuration or the roster, otherwise the advertised name; null if
    /// unknown.
    private func displayName(of session: DeviceSession) -> JSON.Value {
        let name = appearance(session.address).displayName ?? session.status.advertisedName
        return name.map { .string($0) } ?? .null
    }

    /// The groups with the names of their members. This bridge need not have any of these devices.
    private var groupList: JSON.Value {
        .array(
            fleet.groups.names.filter { !fleet.groups.stopsOnly.contains($0) }.map { name in
                let members = fleet.members(of: name, formerNames).map { JSON.Value.string($0.name) }
                return ["group": .string(name), "members": .array(members)]
            })
    }

    /// Schedules that the states with the devices and their number are published.
    func reportDevices() {
        reports.devicesChanged()
        groupsChanged()
    }

    /// Publishes the states that list all devices, or waits until their rate limit allows it.
    func reportDevicesInTime() {
        guard stage != .silent else { return }
        let begin = ports.time.now
        switch reports.takeDevices(at: begin) {
        case .publish:
            reportState("devices", deviceList)
            reportState("groups", groupList)
            reportInfo()
            reports.published(devices: fleet.count, from: begin, to: ports.time.now)
        case .wait(let moment): startTimer(.reports, at: moment)
        case nil: break
        }
    }

    /// - Parameter again: Whether an unchanged state is published too.
    func reportInfo(again: Bool = false) {
        let adapters = radio.description.adapters.map { adapter in
            JSON.Value.object([
                "name": .string(adapter.name),
                "address": adapter.address.map { .string($0.description) } ?? .null,
                "powered": .bool(adapter.isPowered),
                "held_by": radio.holder(of: adapter.name).map { .string($0) } ?? .null,
                "slots": slots.free(on: [adapter.name], at: ports.time.now).map { .integer($0) } ?? .null,
                "problem": adapter.problem.map { .string($0) } ?? .null,
            ])
        }
        reportState(
            "info",
            [
                "version": .string(settings.version), "contract": .integer(BridgeFeatures.contract),
                "bridge": .string(settings.id),
                "host": .string(settings.host), "zone": .string(settings.zone),
                "fleet_protocol": .integer(ClaimMessage.version), "draining": .bool(draining.isOn),
                "started": .string(record.started.description),
                "bluez": radio.description.version.map { .string($0) } ?? .null,
                "adapters": .array(adapters),
                "slots": slots.free(on: radio.readyAdapters, at: ports.time.now).map { .integer($0) }
                    ?? .null,
                "broker": broker.status.version.map { .string($0) } ?? .null,
                "devices": ["known": .integer(fleet.count), "online": .integer(fleet.onlineCount)],
                "guardian": .bool(guardian.isRunning),
                "permit_join": .bool(admission.permit != nil),
                "permit_join_until": admission.permit.map { .string($0.until.description) } ?? .null,
            ], again: again)
    }
}

extension JSON.Object {
    /// Returns the object with one more member.
    func adding(_ key: String, _ value: JSON.Value) -> JSON.Object {
        var copy = self
        copy[key] = value
        return copy
    }
}

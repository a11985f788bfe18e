import Bluetooth
import DeviceKit
import JSON

// What the bridge says of itself and of its devices.
extension Bridge {
    /// The bridge's own states.
    static let ownStates = ["availability", "info", "devices", "patterns"]

    /// Publishes one of the bridge's own states, if it changed.
    func reportState(_ name: String, _ value: JSON.Value) {
        let hash = value.hashValue
        guard reports[name] != hash else { return }
        reports[name] = hash
        keep(topic: topics.own(name))
        let payload = value.string.map { Array($0.utf8) } ?? value.bytes
        world.broker.publish(OutgoingMessage(topic: topics.own(name), payload: payload, policy: .state))
    }

    /// Publishes one of the bridge's events.
    func reportEvent(_ event: String, _ details: JSON.Object = [:]) {
        eventCount += 1
        var object: JSON.Object = ["event": .string(event)]
        for member in details.members { object[member.key] = member.value }
        object["time"] = .string(world.time.date.description)
        object["seq"] = .integer(eventCount)
        world.broker.publish(
            OutgoingMessage(
                topic: topics.own("event"), payload: JSON.Value.object(object).bytes, policy: .event))
    }

    /// A device as events and the list of devices show it.
    func describe(_ session: DeviceSession) -> JSON.Object {
        [
            "device": .string(session.name), "family": .string(session.family.name),
            "address": .string(session.address.description),
        ]
    }

    /// The devices that the bridge looks after.
    var deviceList: JSON.Value {
        let devices = sessions.values.sorted { $0.address < $1.address }.map { session in
            JSON.Value.object([
                "name": .string(session.name), "family": .string(session.family.name),
                "address": .string(session.address.description),
                "availability": session.isReady ? "online" : "offline",
                "features": .array(session.features.all.map { .string($0.name) }),
            ])
        }
        return .array(devices)
    }

    /// Says soon which devices there are, and how many.
    func reportDevices() {
        areDevicesUnreported = true
        tidyUp()
    }

    /// Says it now, unless that would take too much of the bridge's time: it costs more with each device.
    func reportDevicesInTime() {
        guard areDevicesUnreported, !hasSaidGoodbye else { return }
        let begin = world.time.now
        if let pause = reporting.pause(at: begin) { return startTimer(.reports, at: pause) }
        areDevicesUnreported = false
        reportState("devices", deviceList)
        reportInfo()
        let end = world.time.now
        reporting.took(end - begin, until: end)
    }

    func reportInfo() {
        let adapters = radioDescription.adapters.map { adapter in
            JSON.Value.object([
                "name": .string(adapter.name),
                "address": adapter.address.map { .string($0.description) } ?? .null,
                "powered": .bool(adapter.isPowered),
                "held_by": heldAdapters[adapter.name].map { .string($0) } ?? .null,
            ])
        }
        let online = sessions.values.count { $0.isReady }
        reportState(
            "info",
            [
                "version": .string(settings.version), "contract": .integer(BridgeFeatures.contract),
                "bridge": .string(settings.id),
                "host": .string(settings.host),
                "started": .string(started.description),
                "bluez": radioDescription.version.map { .string($0) } ?? .null,
                "adapters": .array(adapters), "broker": brokerVersion.map { .string($0) } ?? .null,
                "devices": ["known": .integer(sessions.count), "online": .integer(online)],
                "permit_join": .bool(permit != nil),
                "permit_join_until": permit.map { .string($0.until.description) } ?? .null,
            ])
    }
}

extension JSON.Object {
    /// The object with one member more.
    func adding(_ key: String, _ value: JSON.Value) -> JSON.Object {
        var copy = self
        copy[key] = value
        return copy
    }
}

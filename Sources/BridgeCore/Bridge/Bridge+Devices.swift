import Bluetooth
import DeviceKit
import JSON
import Logging

extension Bridge {
    /// A time in which new devices may join.
    struct Permit: Sendable {
        /// Which one it is; an ended one's timer ends nothing.
        var number: Int
        /// The families that may join; nil for all.
        var families: Set<String>?
        /// The one device that may join; nil for all, but not for input devices.
        var address: Address?
    }

    // MARK: Sessions

    /// Begins to look after a device that has a name.
    func addSession(_ family: any DeviceFamily, _ address: Address, settings: Arguments) {
        let memory = state.devices.first { $0.address == address }?.memory ?? [:]
        let session = DeviceSession(
            name: names[address] ?? family.name, address: address, family: family, settings: settings,
            memory: memory,
            world: DeviceSession.World(
                radio: world.radio, broker: world.broker, time: world.time, executor: world.executor,
                topics: topics, logger: logger
            ) { [weak self] change in
                self?.assumeIsolated { $0.handle(change, of: address) }
            })
        sessions[address] = session
        spawn { await session.run() }
        subscribe(session)
        let (isReady, reason) = radioState
        let hasBroker = brokerVersion != nil
        session.assumeIsolated { session in
            session.reportAll()
            if hasBroker { session.brokerConnected() }
            session.start(radioIsReady: isReady, reason: reason)
        }
        reportDevices()
        updateDiscovery()
    }

    private func subscribe(_ session: DeviceSession) {
        let name = session.assumeIsolated { $0.name }
        world.broker.subscribe([
            TopicFilter(topics.commands(name)), TopicFilter(topics.report(name, "connection")),
        ])
    }

    private func handle(_ change: DeviceSession.Change, of address: Address) {
        guard let session = sessions[address] else { return }
        switch change {
        case .connection:
            reportDevices()
            updateDiscovery()
        case .remember(let key, let value):
            remember(address, session.family) { $0.memory[key] = value }
        case .failed(let reason):
            reportEvent("device_failed", describe(session).adding("reason", .string(reason)))
        case .nameTaken: giveUpName(session)
        }
    }

    /// Changes what is kept of a device.
    func remember(
        _ address: Address, _ family: any DeviceFamily, _ change: (inout BridgeState.Device) -> Void
    ) {
        var device =
            state.devices.first { $0.address == address }
            ?? BridgeState.Device(
                address: address, family: family.name, name: names[address] ?? family.name)
        change(&device)
        if let index = state.devices.firstIndex(where: { $0.address == address }) {
            guard state.devices[index] != device else { return }
            state.devices[index] = device
        } else {
            state.devices.append(device)
        }
        save()
    }

    /// Another device holds the name at the broker: this one becomes `<family>/<id>`.
    private func giveUpName(_ session: DeviceSession) {
        let (old, address) = (session.assumeIsolated { $0.name }, session.address)
        names.release(address)
        names.reserve(old)
        let name = names.assign(session.family, address)
        logger.warning(
            "the name is held by another device", metadata: ["device": "\(old)", "now": "\(name)"])
        world.broker.unsubscribe([topics.commands(old), topics.report(old, "connection")])
        session.assumeIsolated { session in
            session.name = name
            session.outlet.forgetTopics()
        }
        subscribe(session)
        session.assumeIsolated { session in
            session.voice = Voice()
            session.reportAll()
            session.brokerConnected()
        }
        remember(address, session.family) { $0.name = name }
        reportDevices()
    }

    // MARK: Joining

    /// A device was heard that nobody looks after yet.
    func consider(_ advertisement: Advertisement) {
        let address = advertisement.address
        guard let family = families.first(where: { $0.recognises(advertisement) }) else { return }
        if mayJoin(family, address) {
            let name = names.assign(family, address)
            logger.info("joined", metadata: ["device": "\(name)", "address": "\(address)"])
            remember(address, family) { $0.name = name }
            addSession(family, address, settings: settings.families[family.name] ?? Arguments())
            if let session = sessions[address] {
                reportEvent("device_joined", describe(session))
                session.assumeIsolated { $0.heard(advertisement) }
            }
        } else if discovered.insert(address).inserted {
            logger.info(
                "discovered", metadata: ["family": "\(family.name)", "address": "\(address)"])
            reportEvent(
                "device_discovered",
                [
                    "family": .string(family.name), "address": .string(address.description),
                    "name": advertisement.name.map { .string($0) } ?? .null,
                    "rssi": advertisement.rssi.map { .integer($0) } ?? .null,
                ])
        }
    }

    private func mayJoin(_ family: any DeviceFamily, _ address: Address) -> Bool {
        switch settings.join {
        case .configured: return false
        case .always: return true
        case .permit:
            guard let permit, permit.families?.contains(family.name) ?? true else { return false }
            if let only = permit.address { return only == address }
            return !family.requirements.isInputDevice
        }
    }

    // MARK: What the bridge says of devices

    /// A device as events and the list of devices show it.
    func describe(_ session: DeviceSession) -> JSON.Object {
        [
            "device": .string(session.assumeIsolated { $0.name }), "family": .string(session.family.name),
            "address": .string(session.address.description),
        ]
    }

    /// The devices that the bridge looks after.
    var deviceList: JSON.Value {
        let devices = sessions.values.sorted { $0.address < $1.address }.map { session in
            JSON.Value.object([
                "name": .string(session.assumeIsolated { $0.name }), "family": .string(session.family.name),
                "address": .string(session.address.description),
                "availability": session.assumeIsolated { $0.isReady } ? "online" : "offline",
                "features": .array(session.family.features.map { .string($0.name) }),
            ])
        }
        return .array(devices)
    }

    func reportDevices() {
        reportState("devices", deviceList)
        reportInfo()
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

import DBus
import EventLoop
import Logging
import VirtualDevices

extension RealPeripherals {
    /// Handles the start of bluetoothd and reads its objects.
    func daemonCame() {
        let message = Message(
            call: "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", at: .root,
            on: BlueZName.service)
        call(message) { server, result in
            guard case .success(let arguments) = result, let objects = arguments.first?.entries else {
                return
            }
            for object in objects {
                guard let path = object.key.objectPath, let interfaces = object.value.entries else {
                    continue
                }
                for interface in interfaces {
                    guard let name = interface.key.string else { continue }
                    server.appeared(name, at: path, interface.value.properties ?? [:])
                }
            }
        }
    }

    /// Handles the end of bluetoothd, which removes all registrations.
    func daemonLeft() {
        for index in devices.indices { adapterLeft(index) }
    }

    func adapterCame(_ index: Int) {
        devices[index].registration.setAdapter(there: true)
        proceed(index)
    }

    func adapterLeft(_ index: Int) {
        devices[index].registration.setAdapter(there: false)
        for link in devices[index].links { setLink(link, up: false, of: index) }
        devices[index].forgetSubscriptions()
    }

    /// Starts the next step of a registration, if there is one.
    func proceed(_ index: Int) {
        guard !isEnding, let step = devices[index].registration.next() else { return checkSettled() }
        call(message(step, devices[index])) { server, result in
            var succeeded = true
            if case .failure(let error) = result {
                let isHarmless = (error as? DBusError)?.name == "org.bluez.Error.AlreadyExists"
                succeeded = isHarmless || step == .unadvertise
                if !succeeded { server.note(error, step) }
            }
            let adapter = server.devices[index].adapter
            server.logger.debug(
                "bluetoothd answered a setup call", metadata: ["adapter": "\(adapter)", "step": "\(step)"])
            server.devices[index].registration.finish(step, succeeded: succeeded)
            if succeeded { return server.proceed(index) }
            _ = server.loop.schedule(after: Self.pause) { [weak server] in
                server?.assumeIsolated { $0.proceed(index) }
            }
        }
    }

    /// Calls bluetoothd. The answer is delivered on the loop.
    func call(
        _ message: Message,
        then handler: @escaping @Sendable (isolated RealPeripherals, Result<[Value], any Error>) -> Void
    ) {
        guard let connection else { return }
        do {
            try connection.start(message, for: self) { server, result in
                handler(server, Result { try result.get().arguments() })
            }
        } catch {
            logger.error("bluetoothd could not be called", metadata: ["reason": "\(error)"])
        }
    }

    private func note(_ error: any Error, _ step: Registration.Step) {
        lastFailure = "\(error)"
        logger.debug(
            "bluetoothd refused a setup call; retrying", metadata: ["step": "\(step)", "reason": "\(error)"])
    }

    private func message(_ step: Registration.Step, _ device: ServedDevice) -> Message {
        let adapter = device.adapterPath
        func set(_ property: String, _ value: Value) -> Message {
            Message(
                call: "Set", of: "org.freedesktop.DBus.Properties", at: adapter, on: BlueZName.service,
                [.string(BlueZName.adapter), .string(property), .variant(value)])
        }
        func agent(_ member: String, _ more: Value...) -> Message {
            Message(
                call: member, of: BlueZName.agentManager, at: BlueZName.root, on: BlueZName.service,
                [.objectPath(Self.agent)] + more)
        }
        func manager(_ member: String, of interface: String, _ arguments: Value...) -> Message {
            Message(call: member, of: interface, at: adapter, on: BlueZName.service, arguments)
        }
        let advertisement = Value.objectPath(device.advertisementPath)
        return switch step {
        case .power: set("Powered", .bool(true))
        case .alias: set("Alias", .string(device.advertisement.name))
        case .pairable: set("Pairable", .bool(true))
        case .agent: agent("RegisterAgent", .string("NoInputNoOutput"))
        case .defaultAgent: agent("RequestDefaultAgent")
        case .application:
            manager(
                "RegisterApplication", of: BlueZName.gattManager, .objectPath(device.root), .properties([:]))
        case .advertise:
            manager(
                "RegisterAdvertisement", of: BlueZName.advertisingManager, advertisement, .properties([:]))
        case .unadvertise:
            manager("UnregisterAdvertisement", of: BlueZName.advertisingManager, advertisement)
        }
    }
}

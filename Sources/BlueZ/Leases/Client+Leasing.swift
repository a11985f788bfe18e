import Bluetooth
import DBus
import EventLoop
import Logging

// One lease of an adapter: from the question to the use of the adapter, and back.
extension Client {
    /// Finds out which program has an adapter, and takes it if it is free.
    func decide(_ name: String, on connection: Connection) async throws {
        guard leases[name] != nil, let settings = settings.leases else { return }
        guard !adapters(of: name).isEmpty else { return try await release(name, on: connection) }
        if try await own(name, on: connection) { return try await owned(name, settings, on: connection) }
        guard let holder = try await connection.adapterHolder(of: name) else {
            // Free by now; or it was free all the time, but not for this program.
            guard leases[name]?.isDenied == true else { return leases.examine(name) }
            return change(name, to: .unguarded)
        }
        // The bus may have forbidden since what it allowed before.
        guard holder.connection != connection.uniqueName else { return change(name, to: .owned) }
        guard leases[name]?.holder?.connection == holder.connection else {
            leases[name]?.since = EventLoop.now
            examine(name, after: limits.succession)
            return change(name, to: .held(holder))
        }
        change(name, to: .held(holder))
    }

    /// Asks for the name; whether it is ours.
    private func own(_ name: String, on connection: Connection) async throws -> Bool {
        if try await request(name, [.doNotQueue], on: connection) { return true }
        if let successor = settings.leases?.successor {
            // It stands in the queue behind this program alone; at a bus that is back it may have been quicker.
            leases[name]?.hasSuccessor = false
            await successor.leave(name)
            if try await request(name, [.doNotQueue], on: connection) { return true }
        }
        guard let lease = leases[name], let holder = lease.holder,
            EventLoop.now - lease.since >= limits.succession
        else { return false }
        leases[name]?.since = EventLoop.now
        examine(name, after: limits.succession)
        guard try await request(name, [.doNotQueue, .replaceExisting], on: connection) else { return false }
        logger.error(
            "a guardian does not end: its adapter is taken over",
            metadata: ["name": "\(name)", "guardian": "\(holder.words)"])
        return true
    }

    private func request(
        _ name: String, _ options: NameOptions, on connection: Connection
    ) async throws -> Bool {
        do {
            let result = try await connection.requestName(name, options)
            leases[name]?.isDenied = false
            return result == .primaryOwner || result == .alreadyOwner
        } catch let error as DBusError where error.name == DBusError.Name.accessDenied {
            leases[name]?.isDenied = true
            guard leases.isNews("denied") else { return false }
            logger.warning(
                "the bus does not let this user own the names of adapters: no other bridge can know of this one",
                metadata: [
                    "name": "\(name)",
                    "remedy": "install the D-Bus policy, tactile-bridge.dbus.conf; run as its user",
                ])
            return false
        }
    }

    /// The name is ours: the successor queues for it before anything is done on the adapter, so that no other
    /// program comes between the two.
    private func owned(_ name: String, _ settings: LeaseSettings, on connection: Connection) async throws {
        let sign = AdapterName.sign(of: settings.bridge, isGuardian: false, at: name)
        // It only tells who this is.
        _ = try? await connection.requestName(sign)
        if let successor = settings.successor, leases[name]?.hasSuccessor == false {
            leases[name]?.hasSuccessor = true
            let sign = AdapterName.sign(of: settings.bridge, isGuardian: true, at: name)
            if await !successor.queue(for: name, sign: sign) {
                logger.error(
                    "the guardian does not queue for an adapter: another bridge may use it before devices are safe",
                    metadata: ["name": "\(name)"])
            }
        }
        change(name, to: .owned)
    }

    /// Gives up the name of an adapter that is gone, or is not wanted any more.
    private func release(_ name: String, on connection: Connection) async throws {
        let lease = leases[name]
        change(name, to: .asked)
        if lease?.hasSuccessor == true { await settings.leases?.successor?.leave(name) }
        if lease?.state == .owned, let bridge = settings.leases?.bridge {
            let sign = AdapterName.sign(of: bridge, isGuardian: false, at: name)
            for name in [sign, name] { _ = try await connection.releaseName(name) }
        }
        leases[name] = nil
        // It may be back.
        updateLeases()
    }

    private func change(_ name: String, to state: AdapterLease.State) {
        guard let was = leases[name]?.state, was != state else { return }
        leases[name]?.state = state
        updateLeased()
        for adapter in adapters(of: name) {
            if case .held(let holder) = state {
                let isNew = if case .held(let old) = was { holder.connection != old.connection } else { true }
                logger.log(
                    level: isNew ? .warning : .debug,
                    "another program has the adapter; waiting until it is free",
                    metadata: describe(adapter).merging(["holder": "\(holder.words)"]) { $1 })
                tell(.adapterHeld(adapter.name, by: holder.words))
            }
            updateReadiness(of: adapter)
            if !adapter.isPowered, adapters.isAllowed(adapter) { foundOff(adapter) }
            updateDiscovery(adapter.path)
            // What was received before the adapter could be used was not told.
            tellDevices(of: adapter)
        }
        updateAgent()
        wakeAll()
    }
}

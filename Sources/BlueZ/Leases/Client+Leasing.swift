import Bluetooth
import DBus
import EventLoop
import Logging

// Requests, holds and releases the lease of one adapter: the ownership of the adapter's bus name.
extension Client {
    /// Finds out which program owns an adapter, and leases it if it is free.
    func decide(_ name: String, on connection: Connection) async throws {
        guard leases[name] != nil, let settings = settings.leases else { return }
        guard !adapters(of: name).isEmpty else { return try await release(name, on: connection) }
        if try await own(name, on: connection) { return try await owned(name, settings, on: connection) }
        guard let holder = try await connection.adapterHolder(of: name) else {
            // The name has no owner. Either the bus does not allow this program to own the name, or the name has just
            // become free and the lease is examined again.
            guard leases[name]?.isDenied == true else { return leases.examine(name) }
            return change(name, to: .unguarded)
        }
        // This program may already own the name, if the bus policy has changed since the name was granted.
        guard holder.connection != connection.uniqueName else { return change(name, to: .owned) }
        guard leases[name]?.holder?.connection == holder.connection else {
            leases[name]?.since = EventLoop.now
            examine(name, after: limits.succession)
            return change(name, to: .held(holder))
        }
        change(name, to: .held(holder))
    }

    /// Requests the name; returns whether this program owns it.
    private func own(_ name: String, on connection: Connection) async throws -> Bool {
        if try await request(name, [.doNotQueue], on: connection) { return true }
        if let successor = settings.leases?.successor {
            // The successor leaves the queue before the name is requested again. Otherwise another program could be
            // ahead of the successor in the queue, and after a reconnect to the bus the successor could already own the
            // name.
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
            "a guardian does not release its adapter; taking the adapter over",
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
                "the bus does not allow this user to own adapter names: other bridges cannot detect this bridge",
                metadata: [
                    "name": "\(name)",
                    "remedy": "install the D-Bus policy tactile-bridge.dbus.conf, and run as its user",
                ])
            return false
        }
    }

    /// Handles the ownership of a name. The successor joins the queue before this program uses the adapter. So no other
    /// program can own the name after this program and before the successor.
    private func owned(_ name: String, _ settings: LeaseSettings, on connection: Connection) async throws {
        let sign = AdapterName.sign(of: settings.bridge, isGuardian: false, at: name)
        // An error is ignored, because the additional name only identifies this bridge.
        _ = try? await connection.requestName(sign)
        if let successor = settings.successor, leases[name]?.hasSuccessor == false {
            leases[name]?.hasSuccessor = true
            let sign = AdapterName.sign(of: settings.bridge, isGuardian: true, at: name)
            if await !successor.queue(for: name, sign: sign) {
                logger.error(
                    "the guardian is not queued for an adapter: another bridge may use it before devices are safe",
                    metadata: ["name": "\(name)"])
            }
        }
        change(name, to: .owned)
    }

    /// Releases the name of an adapter that is gone or no longer needed.
    private func release(_ name: String, on connection: Connection) async throws {
        let lease = leases[name]
        change(name, to: .asked)
        if lease?.hasSuccessor == true { await settings.leases?.successor?.leave(name) }
        if lease?.state == .owned, let bridge = settings.leases?.bridge {
            let sign = AdapterName.sign(of: bridge, isGuardian: false, at: name)
            for name in [sign, name] { _ = try await connection.releaseName(name) }
        }
        leases[name] = nil
        // The leases are updated again, because the adapter may have been plugged in again during the calls.
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
                    "another program uses the adapter; waiting until it is free",
                    metadata: describe(adapter).merging(["holder": "\(holder.words)"]) { $1 })
                tell(.adapterHeld(adapter.name, by: holder.words))
            }
            updateReadiness(of: adapter)
            if !adapter.isPowered, adapters.isAllowed(adapter) { foundOff(adapter) }
            updateDiscovery(adapter.path)
            // The devices of the adapter were not reported before, because the adapter could not be used.
            tellDevices(of: adapter)
        }
        updateAgent()
        wakeAll()
    }
}

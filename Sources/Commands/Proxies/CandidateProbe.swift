import DBus
package import EventLoop
import Logging

/// Asks Avahi, the mDNS service of the host, for the ESPHome devices on the network. It connects to no device: a proxy
/// would replace its client.
package struct CandidateProbe: Sendable {
    /// The address of the bus on which Avahi is.
    let bus: String

    package init(bus: String) { self.bus = bus }

    /// The D-Bus name of Avahi, and of the interfaces below it.
    package static let service = "org.freedesktop.Avahi"
    /// The service type of ESPHome's API.
    package static let serviceType = "_esphomelib._tcp"
    /// The maximum number of devices.
    static let capacity = 64
    /// The time limit of each step: to connect, to list the names, and to resolve them.
    private static let patience = Duration.seconds(3)
    /// Any interface, and any version of IP.
    private static let unspecified = Value.int32(-1)

    private struct Instance: Hashable {
        var name: String
        var domain: String
    }

    /// The candidates, in the order in which they are listed; nil if Avahi is not running or does not answer.
    package func candidates(on loop: EventLoop) async -> [ProxyCandidate]? {
        do {
            let connection = try await Connection.open(
                Address(bus), loop: loop, timeout: Self.patience, logger: .silent)
            let found = try? await candidates(on: connection, loop)
            await connection.close()
            return found?.sorted(by: ProxyCandidate.precedes)
        } catch {
            return nil
        }
    }

    private func candidates(on connection: Connection, _ loop: EventLoop) async throws -> [ProxyCandidate]? {
        // The owner is checked first, because the bus would start Avahi for a call if it is not running.
        guard try await connection.owner(of: Self.service) != nil else { return nil }
        let instances = try await instances(on: connection, loop)
        return await withTaskGroup(of: ProxyCandidate?.self) { group in
            for instance in instances {
                group.addTask { try? await Self.resolve(instance, on: connection) }
            }
            var candidates: [ProxyCandidate] = []
            for await case let candidate? in group { candidates.append(candidate) }
            return candidates
        }
    }

    /// Lists the names until Avahi reports that no more are expected.
    private func instances(on connection: Connection, _ loop: EventLoop) async throws -> [Instance] {
        let (signals, input) = AsyncStream.makeStream(
            of: Message.self, bufferingPolicy: .bufferingOldest(1024))
        // A signal can arrive before the answer with the browser's path, so the path is not part of the rule.
        let subscription = try await connection.subscribe(
            MatchRule(sender: Self.service, interface: "\(Self.service).ServiceBrowser")
        ) { signal in
            if let message = try? signal.message() { input.yield(message) }
        }
        defer { subscription.cancel() }
        _ = try await connection.call(
            "ServiceBrowserNew", of: "\(Self.service).Server", at: .root, on: Self.service, Self.unspecified,
            Self.unspecified, .string(Self.serviceType), .string(""), .uint32(0), timeout: Self.patience)
        return await withTaskGroup(of: Void.self) { group in
            group.addTask {
                try? await loop.sleep(until: EventLoop.now + Self.patience)
                input.finish()
            }
            var instances: [Instance] = []
            for await signal in signals {
                if signal.member == "AllForNow" || signal.member == "Failure" { break }
                guard signal.member == "ItemNew", signal.arguments.count > 4,
                    let name = signal.arguments[2].string, let domain = signal.arguments[4].string
                else { continue }
                // A device has an item for each interface and version of IP.
                let instance = Instance(name: name, domain: domain)
                guard !instances.contains(instance) else { continue }
                instances.append(instance)
                if instances.count == Self.capacity { break }
            }
            group.cancelAll()
            return instances
        }
    }

    private static func resolve(_ instance: Instance, on connection: Connection) async throws
        -> ProxyCandidate?
    {
        let answer = try await connection.call(
            "ResolveService", of: "\(service).Server", at: .root, on: service, unspecified, unspecified,
            .string(instance.name), .string(serviceType), .string(instance.domain), unspecified, .uint32(0),
            timeout: patience)
        return ProxyCandidate(resolved: answer)
    }
}

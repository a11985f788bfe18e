package import Bluetooth
package import BridgeConfiguration
import BridgeContract
package import EventLoop
package import HostServices
import JSON

/// Lets a list of devices join a fleet, each on a bridge that receives it.
package struct FleetJoin: Sendable {
    /// The maximum number of devices, as in the request `permit_join`.
    package static let capacity = 1000

    /// The devices of the list that already belong to the fleet, with their names, by address.
    package let known: [(address: Address, name: String)]
    /// The devices that have to join, by address.
    package let wanted: [Address]
    /// The bridges that let them join.
    package let bridges: [String]

    /// - Parameter asked: The bridges that let the devices join; empty for all that are online and not draining.
    package init(
        _ addresses: [Address], through asked: [String], of fleet: FleetSnapshot
    ) throws(CommandFailure) {
        let members = fleet.members
        let list = Set(addresses).sorted()
        known = list.compactMap { address in members[address].map { (address, $0.name) } }
        wanted = list.filter { members[$0] == nil }
        let ready = fleet.bridgeRows.filter { $0.state == .online }.map(\.bridge)
        if let missing = asked.first(where: { !ready.contains($0) }) {
            throw CommandFailure(
                .problem,
                "found the bridge \(missing), which is not online or is draining; allowed: "
                    + (ready.isEmpty ? "none now" : ready.joined(separator: " ")))
        }
        bridges = asked.isEmpty ? ready : asked
        guard !bridges.isEmpty || wanted.isEmpty else {
            throw CommandFailure(
                .unavailable, "no bridge is online and not draining: see tactile-bridge fleet ls")
        }
    }

    /// Reads a list: one address per line, `#` starts a comment.
    package static func addresses(in text: String, of path: String) throws(CommandFailure) -> [Address] {
        var found: [Address] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .enumerated()
        {
            let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
            guard !words.isEmpty else { continue }
            guard words.count == 1, let address = Address(String(words[0])) else {
                throw CommandFailure(
                    .usage,
                    "\(path):\(index + 1): found \(words.joined(separator: " ")); allowed: one address per line, such as "
                        + example)
            }
            found.append(address)
        }
        return found
    }

    /// An address, for error messages.
    package static let example = "C0:FF:EE:00:BE:01"

    /// Opens a permission to join on each bridge, reports each device when it has joined, and closes the permissions.
    ///
    /// - Parameters:
    ///   - limit: How long the devices may take.
    ///   - report: Receives lines for the user.
    /// - Returns: The devices that did not join in time.
    package func run(
        _ client: FleetClient, _ settings: Settings, within limit: Duration, on loop: EventLoop,
        report: @Sendable (String) -> Void
    ) async throws(CommandFailure) -> [Address] {
        var missing = wanted
        guard !missing.isEmpty else { return [] }
        let end = EventLoop.now + limit
        let open = try await permit(settings, limit, on: loop, report: report)
        while !missing.isEmpty, EventLoop.now < end {
            let before = Set(missing)
            let fleet = try await client.wait(within: end - EventLoop.now) { fleet in
                fleet.members.keys.contains(where: before.contains)
            }
            let members = fleet.members
            for address in missing {
                if let member = members[address] {
                    report("\(address): joined as \(member.name) on \(member.bridge)")
                }
            }
            missing.removeAll { members[$0] != nil }
        }
        for bridge in open { _ = try? await ask(bridge, settings, ["seconds": 0], on: loop) }
        return missing
    }

    /// Sends the request to each bridge.
    ///
    /// - Returns: The bridges that accept it; at least one.
    private func permit(
        _ settings: Settings, _ limit: Duration, on loop: EventLoop, report: (String) -> Void
    ) async throws(CommandFailure) -> [String] {
        let arguments: JSON.Object = [
            "seconds": .integer(Int(limit / .seconds(1))),
            "addresses": .array(wanted.map { .string($0.description) }),
        ]
        var open: [String] = []
        var last: CommandFailure?
        for bridge in bridges {
            do {
                _ = try await ask(bridge, settings, arguments, on: loop)
                open.append(bridge)
            } catch {
                report("\(bridge): \(error)")
                last = error
            }
        }
        if open.isEmpty, let last { throw last }
        return open
    }

    private func ask(
        _ bridge: String, _ settings: Settings, _ arguments: JSON.Object, on loop: EventLoop
    ) async throws(CommandFailure) -> JSON.Object {
        var settings = settings
        settings.bridge.id = bridge
        return try await BridgeRequest("permit_join", to: settings).send(arguments, on: loop)
    }
}

extension FleetSnapshot {
    /// The devices of the fleet: those on the roster, and those that are online on a bridge without a roster, each with
    /// its name and the bridge that let it join.
    fileprivate var members: [Address: (name: String, bridge: String)] {
        var members = roster.mapValues { (name: $0.name, bridge: $0.by) }
        for (id, bridge) in bridges where bridge.isOnline == true {
            for device in bridge.devices where device["availability"] == "online" {
                guard let address = device["address"]?.string.flatMap({ Address($0) }),
                    members[address] == nil, let name = device["name"]?.string
                else { continue }
                members[address] = (name, id)
            }
        }
        return members
    }
}

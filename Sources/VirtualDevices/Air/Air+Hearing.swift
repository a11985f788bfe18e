import Bluetooth

extension Air {
    /// Whether and how strongly a host can receive a device, even if the device does not advertise at the moment.
    func reach(of device: String, at host: Int) -> Reach {
        hosts[host].reaches[device] ?? .heard(world.peripheral(device)?.rssi ?? Reach.levels.lowerBound)
    }

    /// Whether a host currently receives a device's advertisements: the device advertises and is in range.
    package func hears(_ device: String, at host: Int) -> Bool {
        guard hosts.indices.contains(host), !hosts[host].isFrozen, world.isAdvertising(device) else {
            return false
        }
        return hosts[host].reaches[device] != .out
    }

    /// The devices whose advertisements a host currently receives, in alphabetical order.
    package func heard(at host: Int) -> [String] {
        guard hosts.indices.contains(host), !hosts[host].isFrozen else { return [] }
        return world.advertising.filter { hosts[host].reaches[$0] != .out }.sorted()
    }

    /// Whether a device currently accepts a connection from a host.
    package func accepts(_ device: String, from host: Int) -> Bool {
        hears(device, at: host) && place(of: host, on: device) == nil
    }

    /// The properties of the device with this name, with the signal strength at the host.
    package func peripheral(_ device: String, at host: Int) -> Peripheral? {
        guard var peripheral = world.peripheral(device) else { return nil }
        if case .heard(let level)? = hosts[host].reaches[device] { peripheral.rssi = level }
        return peripheral
    }

    /// Moves a device relative to the hosts: its reach changes for the hosts that have a placement, and stays the same
    /// for other hosts.
    mutating func move(_ device: String, to placements: [Placement]) {
        let names = hostNames
        if let unknown = placements.first(where: { !names.contains($0.host) }) {
            guard names != [""] else {
                return complain(
                    "there is only one host, so no device can be moved; 'tactile-simulator air' has several")
            }
            return complain("no host named '\(unknown.host)'; hosts: \(names.joined(separator: ", "))")
        }
        for placement in placements {
            guard let host = names.firstIndex(of: placement.host) else { continue }
            let (wasHeard, wasIn) = (hears(device, at: host), isUp(device, host))
            hosts[host].reaches[device] = placement.reach
            let isHeard = hears(device, at: host)
            if isHeard != wasHeard { hosts[host].mail.append(.advertise(device: device, isHeard)) }
            if isUp(device, host) != wasIn { setHanging(wasIn, device, host) }
        }
    }

    /// Freezes or resumes a host. A frozen host behaves like a host without power or with a halted system.
    ///
    /// - Parameter name: The host's name. For an unknown name, nothing is frozen, and an error report lists the known
    ///   names.
    public mutating func setFrozen(_ isFrozen: Bool, _ name: String, at time: Duration) {
        pass(to: time)
        guard let host = hosts.firstIndex(where: { $0.name == name }) else {
            return complain("no host named '\(name)'; hosts: \(hostNames.joined(separator: ", "))")
        }
        guard hosts[host].isFrozen != isFrozen else { return }
        let held = links.keys.filter { place(of: host, on: $0) != nil }.sorted()
        let were = held.filter { isUp($0, host) }
        hosts[host].isFrozen = isFrozen
        if isFrozen {
            for device in were { setHanging(true, device, host) }
        } else {
            for device in held where isUp(device, host) { setHanging(false, device, host) }
            for device in world.peripherals {
                hosts[host].mail.append(.advertise(device: device.name, hears(device.name, at: host)))
            }
        }
    }

    /// Whether a device and a host can exchange packets.
    func isUp(_ device: String, _ host: Int) -> Bool {
        !hosts[host].isFrozen && hosts[host].reaches[device] != .out
    }

    /// Adds an error report about an invalid live line.
    package mutating func complain(_ message: String) {
        route([.report(Report(device: nil, time: now, event: .error(message)))])
    }
}

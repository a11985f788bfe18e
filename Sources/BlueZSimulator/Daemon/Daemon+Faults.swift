import DBus
import VirtualDevices

/// A simulated fault of bluetoothd that affects the calls of one method.
struct CallFault: Hashable, Sendable {
    var member: String
    /// The error with which bluetoothd answers the calls; nil if it does not answer them.
    var error: DBusError?
    /// How many more calls the fault affects; nil if the fault ends at a time instead.
    var remaining: Int?
    /// When the fault ends; nil if it affects a number of calls instead.
    var end: Duration?
}

// Faults of bluetoothd itself, which are requested by live lines that start with `bluez`.
extension Daemon {
    /// The errors that live lines can request.
    private static let errors = [
        "NotReady": BlueZError.notReady, "InProgress": BlueZError.inProgress,
        "NotAuthorized": BlueZError.notAuthorized, "NotSupported": BlueZError.notSupported,
        "Failed": BlueZError.failed("Operation failed"),
    ]
    /// The methods that live lines can affect.
    private static let members: Set<String> = [
        "SetDiscoveryFilter", "StartDiscovery", "StopDiscovery", "RemoveDevice", "Connect", "Disconnect",
        "Pair",
        "ReadValue", "WriteValue", "StartNotify", "StopNotify", "AcquireNotify", "AcquireWrite",
    ]

    /// Answers a call with an error or leaves the call unanswered, if a fault affects the call. Returns true in that
    /// case; then the caller must not answer the call.
    mutating func isStruck(_ call: Call) -> Bool {
        callFaults.removeAll { $0.end.map { $0 <= now } ?? false }
        guard let index = callFaults.firstIndex(where: { $0.member == call.member }) else { return false }
        let error = callFaults[index].error
        if let remaining = callFaults[index].remaining {
            callFaults[index].remaining = remaining - 1
            if remaining == 1 { callFaults.remove(at: index) }
        }
        if let error { outputs.append(.failure(call.number, error)) }
        return true
    }

    /// The attribute table of a device as the daemon currently sees it, including the effect of faults.
    func table(of device: Peripheral, _ record: DeviceRecord) -> AttributeTable {
        AttributeTable(
            staleCaches.contains(device.name) ? [] : device.services, of: record.path,
            claimed: options.claimedServices, hasUpdater: updated.contains(device.name))
    }

    /// Executes a live line (typed by a user) that requests a fault of bluetoothd.
    mutating func performFault(_ words: [String]) {
        switch (words.first, words.count) {
        case ("refuse", 3...4):
            let length = words.dropFirst(3).first
            let (count, seconds) = (Self.count(length), Self.seconds(length))
            guard Self.members.contains(words[1]), let error = Self.errors[words[2]],
                count != nil || seconds != nil
            else { return explainFaults() }
            callFaults.append(
                CallFault(
                    member: words[1], error: error, remaining: count, end: seconds.map { now + $0 }))
        case ("ignore", 2...3):
            guard Self.members.contains(words[1]), let count = Self.count(words.dropFirst(2).first) else {
                return explainFaults()
            }
            callFaults.append(CallFault(member: words[1], error: nil, remaining: count, end: nil))
        case ("stale", 2):
            guard air.world.peripheral(words[1]) != nil else { return explainFaults() }
            staleCaches.insert(words[1])
        case ("deaf", 1): deafen()
        case ("update", 2):
            guard air.world.peripheral(words[1]) != nil else { return explainFaults() }
            update(words[1])
        default: explainFaults()
        }
    }

    /// Shifts a device's handles, as new firmware does: on the next connection, or immediately with Service Changed
    /// (Core Specification, Vol 3, Part G, 7.1). BlueZ then removes the old objects and adds new ones.
    private mutating func update(_ name: String) {
        if updated.remove(name) == nil { updated.insert(name) }
        guard let key = linked(name), let record = devices[key], record.areServicesResolved else { return }
        for (index, characteristic) in record.characteristics.enumerated() {
            for client in characteristic.subscribers { dropSubscriber(client, key, index) }
        }
        unexport(key)
        beginResolving(key)
    }

    /// Stops the reception of advertisements on all adapters while they report discovery. BlueZ 5.66 behaves in this
    /// way after the kernel rejected a stop. Its state is still "discovering", and a start with the same filter sends
    /// no request to the kernel.
    private mutating func deafen() {
        for index in adapters.indices {
            adapters[index].isDeaf = true
            stopHearing(on: adapters[index].name)
        }
    }

    private static func count(_ word: String?) -> Int? {
        guard let word else { return 1 }
        return Int(word).flatMap { (1...1_000_000).contains($0) ? $0 : nil }
    }

    /// Parses `5s`, a number of seconds.
    private static func seconds(_ word: String?) -> Duration? {
        guard let word, word.hasSuffix("s"), let seconds = Int(word.dropLast()) else { return nil }
        return (1...3600).contains(seconds) ? .seconds(seconds) : nil
    }

    private mutating func explainFaults() {
        let devices = air.world.peripherals.map(\.name).joined(separator: ", ")
        outputs.append(
            .report(
                Report(
                    device: nil, time: now,
                    event: .error(
                        "expected 'bluez refuse METHOD ERROR [1...1000000, or 1s...3600s]', "
                            + "'bluez ignore METHOD [1...1000000]', "
                            + "'bluez stale DEVICE', 'bluez update DEVICE' or 'bluez deaf'; methods: "
                            + Self.members.sorted().joined(separator: ", ") + "; errors: "
                            + Self.errors.keys.sorted().joined(separator: ", ") + "; devices: \(devices)"))))
    }
}

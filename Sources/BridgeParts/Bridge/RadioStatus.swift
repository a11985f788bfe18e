package import Bluetooth
package import JSON

/// The host's Bluetooth as the radio tells of it: the service, the adapters, and the programs that hold them.
package struct RadioStatus: Sendable {
    /// What the bridge does after an event.
    package struct Outcome: Equatable, Sendable {
        /// The event to be published: its name and its details.
        package var event: String?
        package var details: JSON.Object = [:]
        /// The adapter whose links are to be closed: another program holds it now.
        package var heldAdapter: String?
    }

    private enum Service: Sendable {
        /// It was not there since the start; the reason.
        case missing(String)
        case ready
        /// It was there and is gone; the reason.
        case lost(String)
    }

    private enum Adapter: Hashable, Sendable {
        case ready
        /// It was ready, and is gone or switched off.
        case away
        case held(by: String, wasReady: Bool)
    }

    /// The adapters and the version of the service, as the host describes them.
    package var description = RadioDescription()
    /// The adapters that bear no more links, as the radio was told last.
    private var full: Set<String> = []
    private var service = Service.missing("the Bluetooth service was not found yet")
    private var adapters: [String: Adapter] = [:]
    /// The adapters that the configuration names and the host does not have, as it names them.
    private var absent: [String] = []

    package init() {}

    package static let noAdapter = "no Bluetooth adapter is ready"

    /// Whether devices can be connected, and why not.
    package var state: RadioState {
        switch service {
        case .missing(let reason), .lost(let reason): return RadioState(obstacle: .service, reason: reason)
        case .ready: break
        }
        guard !adapters.values.contains(.ready) else { return .ready }
        if let holding { return RadioState(obstacle: .held, reason: holding) }
        return RadioState(obstacle: .adapter, reason: absence ?? Self.noAdapter)
    }

    /// That adapters of the configuration are not there; nil if all are.
    package var absence: String? {
        guard !absent.isEmpty else { return nil }
        let names = absent.joined(separator: ", ")
        return "bluetooth.adapters names \(names): no such adapter is there"
    }

    /// The names of the adapters that are ready, in order.
    package var readyAdapters: [String] { adapters.filter { $0.value == .ready }.keys.sorted() }

    /// The program that holds an adapter; nil if none does.
    package func holder(of adapter: String) -> String? {
        if case .held(let holder, _) = adapters[adapter] { holder } else { nil }
    }

    private var holding: String? {
        let words = adapters.keys.sorted().compactMap { name in
            holder(of: name).map { "\($0) has the adapter \(name)" }
        }
        guard !words.isEmpty else { return nil }
        return words.joined(separator: ", ") + ": this bridge waits until it is free"
    }

    /// Notes which adapters bear no more links.
    ///
    /// - Returns: Whether that is new.
    package mutating func changed(toFull names: Set<String>) -> Bool {
        defer { full = names }
        return full != names
    }

    /// Takes an event of the radio.
    ///
    /// - Returns: What follows; nil if the event changes nothing of the host's Bluetooth.
    package mutating func handle(_ event: RadioEvent) -> Outcome? {
        switch event {
        case .heard, .forgotten: return nil
        case .adapterReady(let name):
            let before = adapters.updateValue(.ready, forKey: name)
            switch before {
            case .ready: return nil
            case .away, .held(_, wasReady: true):
                return Outcome(event: "adapter_back", details: ["adapter": .string(name)])
            case .held, nil: return Outcome()
            }
        case .adapterLost(let name):
            switch adapters[name] {
            case .ready:
                adapters[name] = .away
                return Outcome(event: "adapter_lost", details: ["adapter": .string(name)])
            case .held(_, let wasReady):
                adapters[name] = wasReady ? .away : nil
                return Outcome()
            case .away, nil: return nil
            }
        case .adaptersAbsent(let names):
            defer { absent = names }
            return absent == names ? nil : Outcome()
        case .adapterHeld(let name, let holder): return held(name, by: holder)
        case .serviceReady:
            defer { service = .ready }
            if case .lost = service { return Outcome(event: "bluez_back") }
            return Outcome()
        case .serviceLost(let reason): return lost(reason)
        }
    }

    private mutating func held(_ name: String, by holder: String) -> Outcome? {
        guard self.holder(of: name) != holder else { return nil }
        let before = adapters[name]
        switch before {
        case .ready, .away, .held(_, wasReady: true): adapters[name] = .held(by: holder, wasReady: true)
        case .held, nil: adapters[name] = .held(by: holder, wasReady: false)
        }
        guard before == .ready else { return Outcome() }
        return Outcome(
            event: "adapter_lost",
            details: ["adapter": .string(name), "reason": .string("\(holder) has it now")], heldAdapter: name)
    }

    private mutating func lost(_ reason: String) -> Outcome {
        adapters = adapters.compactMapValues { adapter in
            if case .held(_, wasReady: false) = adapter { nil } else { .away }
        }
        switch service {
        case .missing:
            service = .missing(reason)
            return Outcome()
        case .lost:
            service = .lost(reason)
            return Outcome()
        case .ready:
            service = .lost(reason)
            return Outcome(event: "bluez_lost", details: ["reason": .string(reason)])
        }
    }
}

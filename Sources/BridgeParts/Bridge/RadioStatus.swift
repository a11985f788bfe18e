package import Bluetooth
package import JSON

/// The state of the host's Bluetooth: the service, the adapters, and the programs that occupy them.
package struct RadioStatus: Sendable {
    /// What the bridge must do after a radio event.
    package struct Outcome: Equatable, Sendable {
        /// The name of the event to be published; nil for none.
        package var event: String?
        package var details: JSON.Object = [:]
        /// The adapter whose links must be closed because another program has taken it.
        package var heldAdapter: String?
    }

    private enum Service: Sendable {
        /// The Bluetooth service has not been available since the bridge started, for this reason.
        case missing(String)
        case ready
        /// The Bluetooth service is no longer available, for this reason.
        case lost(String)
    }

    private enum Adapter: Hashable, Sendable {
        case ready
        /// The adapter was ready, and is now removed or powered off.
        case away
        /// Another program uses the adapter; `wasReady` is true if the bridge could use the adapter earlier.
        case held(by: String, wasReady: Bool)
    }

    /// The adapters and the service version as BlueZ reports them.
    package var description = RadioDescription()
    /// The adapters without a free slot, as last reported to the radio.
    private var full: Set<String> = []
    private var service = Service.missing("the Bluetooth service was not found yet")
    private var adapters: [String: Adapter] = [:]
    /// The configured adapters that the host does not have.
    private var absent: [String] = []

    package init() {}

    package static let noAdapter = "no Bluetooth adapter is ready"

    /// Whether devices can be connected, and the reason if not.
    package var state: RadioState {
        guard !adapters.values.contains(.ready) else { return .ready }
        // A host that has only proxies needs no Bluetooth service.
        let reasons = proxyProblems()
        if case .missing = service, !reasons.isEmpty {
            return RadioState(obstacle: .proxy, reason: reasons.joined(separator: "; "))
        }
        switch service {
        case .missing(let reason), .lost(let reason): return RadioState(obstacle: .service, reason: reason)
        case .ready: break
        }
        if let holding { return RadioState(obstacle: .held, reason: holding) }
        return RadioState(obstacle: .adapter, reason: absence ?? Self.noAdapter)
    }

    /// An explanation that configured adapters are missing; nil if none is missing.
    package var absence: String? {
        guard !absent.isEmpty else { return nil }
        let names = absent.joined(separator: ", ")
        return "bluetooth.adapters names \(names): no such adapter exists"
    }

    /// The problems that leave some devices usable: adapters that are not present, a Bluetooth service that was lost while
    /// a proxy is ready, and proxies that cannot be used.
    package var problems: [String] {
        guard state.isReady else { return [] }
        let loss: String? = if case .lost(let reason) = service { reason } else { nil }
        // A proxy that another bridge uses is no problem.
        return [absence, loss].compactMap(\.self) + proxyProblems { $0.sharing != .waiting }
    }

    private func proxyProblems(where isMeant: (RadioDescription.Adapter) -> Bool = { _ in true }) -> [String]
    {
        description.adapters.filter(isMeant).compactMap { adapter in
            adapter.problem.map { "\(adapter.name): \($0)" }
        }
    }

    package var readyAdapters: [String] { adapters.filter { $0.value == .ready }.keys.sorted() }

    /// The program that occupies an adapter; nil if none does.
    package func holder(of adapter: String) -> String? {
        if case .held(let holder, _) = adapters[adapter] { holder } else { nil }
    }

    private var holding: String? {
        let words = adapters.keys.sorted().compactMap { name in
            holder(of: name).map { "\($0) uses the adapter \(name)" }
        }
        guard !words.isEmpty else { return nil }
        return words.joined(separator: ", ") + ": this bridge waits until it is free"
    }

    /// Sets the adapters without a free slot.
    ///
    /// - Returns: Whether they changed.
    package mutating func changed(toFull names: Set<String>) -> Bool {
        defer { full = names }
        return full != names
    }

    /// Applies a radio event.
    ///
    /// - Returns: The reaction; nil if the event does not change the state.
    package mutating func handle(_ event: RadioEvent) -> Outcome? {
        switch event {
        case .heard, .forgotten: return nil
        case .adapterReady(let name):
            let before = adapters.updateValue(.ready, forKey: name)
            switch before {
            // A proxy reports again when its slots become known.
            case .ready: return AdapterName.isProxy(name) ? Outcome() : nil
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
            case .away, nil:
                // A proxy reports each reason why it cannot be used.
                return AdapterName.isProxy(name) ? Outcome() : nil
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
            details: ["adapter": .string(name), "reason": .string("\(holder) uses the adapter now")],
            heldAdapter: name
        )
    }

    private mutating func lost(_ reason: String) -> Outcome {
        // The service of the host has no effect on proxies.
        for (name, adapter) in adapters where !AdapterName.isProxy(name) {
            adapters[name] = if case .held(_, wasReady: false) = adapter { nil } else { .away }
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

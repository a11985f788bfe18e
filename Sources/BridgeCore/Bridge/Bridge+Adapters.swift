import DeviceKit
import JSON

// One bridge an adapter: what another program has is left to it.
extension Bridge {
    /// Which programs have the adapters that there are; nil if none is held by another one.
    var holding: String? {
        guard !heldAdapters.isEmpty else { return nil }
        let words = heldAdapters.sorted { $0.key < $1.key }.map { "\($1) has the adapter \($0)" }
        return words.joined(separator: ", ") + ": this bridge waits until it is free"
    }

    /// Another program has an adapter: nothing is connected over it, and what is connected is let go in good order.
    func adapterHeld(_ name: String, by holder: String) {
        guard heldAdapters[name] != holder else { return }
        heldAdapters[name] = holder
        if adapters.remove(name) != nil {
            lostAdapters.insert(name)
            let reason = "\(holder) has it now"
            reportEvent("adapter_lost", ["adapter": .string(name), "reason": .string(reason)])
            for session in sessions.values { session.leaveAdapter(name) }
        }
        radioChanged()
    }
}

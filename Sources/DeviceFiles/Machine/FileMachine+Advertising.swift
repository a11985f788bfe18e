import Bluetooth
import DeviceKit
import JSON

// Data that the device advertises.
extension FileMachine {
    /// The interval at which the counter of encrypted packets is stored on disk. If a packet causes an event, the
    /// counter is stored immediately.
    private static let counterPeriod = Duration.seconds(600)

    /// Restores the packet numbers that were stored before a restart of the bridge, so that a replayed packet does not
    /// cause an event.
    mutating func restore(_ context: DeviceContext) {
        for index in plan.advertised {
            guard let name = file.characteristics[index].advertised?.bthomeKey else { continue }
            ciphers[index] = BTHomeCipher(
                key: settings.text(name), address: context.address,
                counter: number(context.memory, "counter.\(file.characteristics[index].name)"))
        }
        reports = file.features.map { ReportState($0.report) }
        for (index, feature) in file.features.enumerated() where feature.report?.sequenceBits != nil {
            reports[index].sequence = PacketSequence(after: number(context.memory, "packet.\(feature.name)"))
        }
    }

    private func number(_ memory: JSON.Object, _ key: String) -> UInt64? {
        memory[key]?.integer.flatMap { UInt64(exactly: $0) }
    }

    mutating func advertised(_ broadcast: Broadcast, _ effects: inout Effects) {
        guard phase == .setup || phase == .online else { return }
        for index in plan.advertised {
            guard let bytes = file.characteristics[index].advertised?.bytes(in: broadcast) else { continue }
            var recent = broadcasts[index] ?? RecentPackets()
            let repetition = recent.note(bytes, at: now)
            broadcasts[index] = recent
            let former = ciphers[index]?.counter
            guard repetition != .last, let plain = open(index, bytes, &effects) else { continue }
            // The device reports that it is ready before it publishes its first value, so that other bridges know to
            // which bridge the value belongs.
            var values = Effects()
            let isRead = broadcast.isCached || repetition == .earlier
            let isTaken = deliver(index, plain, isRead: isRead, isSilent: true, &values)
            if isTaken, phase == .setup { becomeReady(&effects) }
            if let counter = ciphers[index]?.counter, counter != former {
                keep(counter, of: index, isEvent: values.list.contains(where: isEvent), &effects)
            }
            for effect in values.list { effects.append(effect) }
        }
    }

    private func isEvent(_ effect: Effect) -> Bool {
        guard case .publish(let name, _) = effect else { return false }
        return file.features.first { $0.name == name }?.report?.kind == .event
    }

    /// Decrypts advertised data, if it is encrypted; returns nil if the data cannot be used.
    private mutating func open(_ index: Int, _ bytes: [UInt8], _ effects: inout Effects) -> [UInt8]? {
        guard let result = ciphers[index]?.open(bytes, plan.decrypt) else { return bytes }
        switch result {
        case .success(let plain): return plain
        case .failure(let failure):
            effects.count(failure.refusal.rawValue)
            if phase == .setup, let words = file.reason(failure.refusal, index) {
                fail(.handshake, words, &effects)
            }
            return nil
        }
    }

    /// Stores the counter of encrypted packets, so that it survives a restart of the bridge: immediately if the packet
    /// causes an event, otherwise at intervals of ``counterPeriod``.
    private mutating func keep(_ counter: UInt64, of index: Int, isEvent: Bool, _ effects: inout Effects) {
        guard isEvent || counterKept.map({ now - $0 >= Self.counterPeriod }) ?? true else { return }
        counterKept = now
        let key = "counter.\(file.characteristics[index].name)"
        effects.append(.remember(key: key, .integer(Int(clamping: counter))))
    }

    /// Stores the number of the packet that causes an event, so that the packet is recognized as a repetition after a
    /// restart of the bridge. The numbers of other packets are not stored: they would change the state file all the
    /// time, and a state may be published again.
    func keepSequence(of feature: Int, _ effects: inout Effects) {
        guard !plan.advertised.isEmpty, let number = reports[feature].sequence.number else { return }
        let key = "packet.\(file.features[feature].name)"
        effects.append(.remember(key: key, .integer(Int(clamping: number))))
    }
}

extension DeviceFile {
    /// Returns the reason, for the user, why the device cannot be used with this data; nil if only the packet is
    /// ignored.
    func reason(_ refusal: BTHomeCipher.Refusal, _ index: Int) -> String? {
        let setting = characteristics[index].advertised?.bthomeKey ?? ""
        return switch refusal {
        case .keyMissing: "the \(title) sends encrypted data, and its setting \(setting) is empty"
        case .wrongKey: "the setting \(setting) of the \(title) is not its key, or its data is damaged"
        case .notEncrypted: "the \(title) sends data without encryption, and its setting \(setting) is set"
        case .replayed: nil
        }
    }
}

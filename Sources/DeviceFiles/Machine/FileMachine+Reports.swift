import Bluetooth
import DeviceKit
package import JSON

/// The state of a feature's report on the current connection.
struct ReportState: Sendable {
    /// The last values that each source of the report has decoded; nil for a source without values.
    var heard: [JSON.Object?]
    /// The last published value.
    var last: JSON.Value?
    /// For a stream: the earliest time at which the next message can be published.
    var free = Duration.zero
    /// For a stream: the newest value, which waits until the next message can be published.
    var waiting: JSON.Value?
    /// The last value of each field of a partial state.
    var kept = JSON.Object()
    var rates: [RateField.Progress] = []
    var sequence = PacketSequence()

    init(_ report: ReportEntry?) {
        heard = Array(repeating: nil, count: report?.sources.count ?? 0)
        rates = Array(repeating: RateField.Progress(), count: report?.rates.count ?? 0)
    }
}

// Converts notifications and reads to published values.
extension FileMachine {
    mutating func notified(_ index: Int, _ bytes: [UInt8], _ effects: inout Effects) {
        if !unheard.isEmpty { unheard.remove(index) }
        let wasAwaited = hear(index, bytes, &effects)
        guard phase != .offline else { return }
        guard lineBuffers[index] != nil else {
            deliver(index, bytes, isRead: false, isSilent: wasAwaited, &effects)
            return
        }
        let lines = lineBuffers[index]?.take(bytes) ?? []
        for line in lines { deliver(index, line: line, isSilent: wasAwaited, &effects) }
        guard let idle = file.characteristics[index].lines?.idle else { return }
        let timer = TimerName("line.\(index)")
        if lineBuffers[index]?.isPending ?? false {
            startTimer(timer, after: idle, &effects)
        } else {
            cancelTimer(timer, &effects)
        }
    }

    /// Completes a line, because the device sent no more bytes for the time `idle`.
    mutating func lineIsOver(_ index: Int, _ effects: inout Effects) {
        guard phase != .offline, lineBuffers[index]?.isPending ?? false else { return }
        let line = lineBuffers[index]?.finish()
        deliver(index, line: line, isSilent: false, &effects)
    }

    private mutating func deliver(_ index: Int, line: [UInt8]?, isSilent: Bool, _ effects: inout Effects) {
        guard let line else {
            return garbage(index, "a line of more than \(CharacteristicEntry.Lines.limit) bytes", &effects)
        }
        let ignored = file.characteristics[index].lines?.ignored ?? []
        guard !line.isEmpty, !ignored.contains(where: { line.elementsEqual($0.utf8) }) else { return }
        deliver(index, line, isRead: false, isSilent: isSilent, &effects)
    }

    /// Handles a value that was read. A characteristic with lines ignores reads, because lines are received only as
    /// notifications.
    mutating func wasRead(_ index: Int, _ bytes: [UInt8], _ effects: inout Effects) {
        guard phase != .offline else { return }
        guard lineBuffers[index] == nil else { return }
        deliver(index, bytes, isRead: true, isSilent: false, &effects)
    }

    /// Passes bytes to every report source of the characteristic. If no source can decode the bytes, they are counted
    /// as `garbage`.
    ///
    /// - Parameters:
    ///   - isRead: Whether the bytes were read or are a repetition, so that they cause no event.
    ///   - isSilent: Whether bytes that no source can decode are ignored.
    /// - Returns: Whether a source can decode the bytes.
    @discardableResult
    mutating func deliver(
        _ index: Int, _ bytes: [UInt8], isRead: Bool, isSilent: Bool, _ effects: inout Effects
    ) -> Bool {
        let listeners = plan.listeners[index]
        guard !listeners.isEmpty else { return false }
        var fits = false
        // The error of the first source that failed, in case no source can decode the bytes.
        var reason: PacketMisfit?
        var stranger: FilePlan.Listener?
        for listener in listeners {
            guard let report = plan.reports[listener.feature] else { continue }
            if report.strangers[listener.source](bytes) {
                if reason == nil, stranger == nil { stranger = listener }
                continue
            }
            do throws(PacketMisfit) {
                let reading = try report.readers[listener.source](bytes, profile.utcOffset)
                fits = true
                coverage?.heard(listener, report.entry.sources[listener.source], bytes)
                // A value that was read is not an event.
                if isRead, report.entry.kind == .event { continue }
                heard(listener, report, reading, bytes, &effects)
            } catch {
                if reason == nil, stranger == nil { reason = error }
            }
        }
        guard !fits, !isSilent else { return fits }
        if let stranger { reason = misfit(stranger, bytes) }
        if let reason { garbage(index, reason.description, &effects) }
        return false
    }

    private func misfit(_ listener: FilePlan.Listener, _ bytes: [UInt8]) -> PacketMisfit? {
        do throws(PacketMisfit) {
            _ = try plan.reports[listener.feature]?.readers[listener.source](bytes, 0)
            return nil
        } catch {
            return error
        }
    }

    private mutating func garbage(
        _ index: Int, _ reason: @autoclosure () -> String, _ effects: inout Effects
    ) {
        effects.count("garbage")
        guard !hasGarbage else { return }
        hasGarbage = true
        effects.remark(
            .warning,
            "a packet from \(file.characteristics[index].name) does not match the file: \(withoutSecrets(reason()))"
        )
    }

    /// Passes bytes to one report source, which ignores bytes that it cannot decode.
    mutating func hear(_ listener: FilePlan.Listener, _ bytes: [UInt8], _ effects: inout Effects) {
        guard let report = plan.reports[listener.feature],
            !report.strangers[listener.source](bytes),
            let reading = try? report.readers[listener.source](bytes, profile.utcOffset)
        else { return }
        coverage?.heard(listener, report.entry.sources[listener.source], bytes)
        heard(listener, report, reading, bytes, &effects)
    }

    private mutating func heard(
        _ listener: FilePlan.Listener, _ report: FilePlan.Report, _ reading: PacketReading,
        _ bytes: [UInt8], _ effects: inout Effects
    ) {
        guard report.entry.sources.count > 1 else {
            return heard(listener.feature, report.entry, reading, bytes, &effects)
        }
        reports[listener.feature].heard[listener.source] = reading.values
        var all = JSON.Object()
        for (source, heard) in zip(report.entry.sources, reports[listener.feature].heard) {
            guard let heard else {
                // If this device lacks the characteristic of a source, the report does not wait for the source.
                if isPresent[source.characteristic] { return }
                continue
            }
            for member in heard.members { all[member.key] = member.value }
        }
        publish(listener.feature, all, &effects)
    }

    /// Publishes the values of a packet, unless it is a repetition or contains none of the feature's fields.
    private mutating func heard(
        _ feature: Int, _ report: ReportEntry, _ reading: PacketReading, _ bytes: [UInt8],
        _ effects: inout Effects
    ) {
        if let bits = report.sequenceBits, let number = reading.sequence {
            guard reports[feature].sequence.admits(number, bits: bits, at: now) else { return }
        }
        var values = reading.values
        if values.isEmpty, report.takesPart { return }
        for (index, rate) in report.rates.enumerated() {
            values[rate.name] = reports[feature].rates[index].advance(rate, reading.raws, at: now)
        }
        publish(feature, values, &effects)
    }

    /// Publishes the values of a feature, unless the device file declares that its report skips one of them.
    mutating func publish(_ feature: Int, _ values: JSON.Object, _ effects: inout Effects) {
        guard let report = plan.reports[feature] else { return }
        var values = values
        if let color = report.entry.dimmed, let parts = values[color]?.array {
            values[ReportEntry.brightness] = .integer(parts.compactMap(\.integer).max() ?? 0)
        }
        let value: JSON.Value
        if report.entry.isPartial {
            guard let kept = merge(feature, report.entry, values, &effects) else { return }
            value = .object(kept)
        } else {
            for (name, skipped) in report.entry.skipped where skipped.contains(values[name] ?? .null) {
                return
            }
            value = report.entry.value(of: values)
        }
        if report.entry.onlyChanges, reports[feature].last == value { return }
        if let interval = report.entry.interval {
            guard now >= reports[feature].free else {
                if reports[feature].waiting == nil {
                    startTimer(TimerName("stream.\(feature)"), after: reports[feature].free - now, &effects)
                }
                reports[feature].waiting = value
                return
            }
            reports[feature].free = now + interval
        }
        reports[feature].last = value
        if report.entry.kind == .event { keepSequence(of: feature, &effects) }
        effects.publish(file.features[feature].name, value)
    }

    /// Publishes the waiting value of a stream.
    mutating func streamIsDue(_ feature: Int, _ effects: inout Effects) {
        guard let value = reports[feature].waiting, let report = plan.reports[feature] else { return }
        reports[feature].waiting = nil
        if report.entry.onlyChanges, reports[feature].last == value { return }
        reports[feature].free = now + (report.entry.interval ?? .zero)
        reports[feature].last = value
        effects.publish(file.features[feature].name, value)
    }
}

// Partial reports: a packet of the device may contain only some of their fields.
extension FileMachine {
    /// Returns the fields of a partial report to publish; nil if no field is left.
    private mutating func merge(
        _ feature: Int, _ report: ReportEntry, _ values: JSON.Object, _ effects: inout Effects
    ) -> JSON.Object? {
        var values = values
        for (name, skipped) in report.skipped where values[name].map(skipped.contains) ?? false {
            values[name] = nil
        }
        guard !values.isEmpty else { return nil }
        note(values.keys, of: file.features[feature].name, &effects)
        guard report.kind != .event else { return values }
        for member in values.members { reports[feature].kept[member.key] = member.value }
        return reports[feature].kept
    }

    /// Reports which fields the device has sent, if some fields were received for the first time.
    private mutating func note(_ names: [String], of feature: String, _ effects: inout Effects) {
        let known = lacking.received[feature] ?? []
        guard names.contains(where: { !known.contains($0) }) else { return }
        lacking.received[feature] = known.union(names)
        effects.append(.lack(lacking))
    }
}

extension ReportEntry {
    /// The field for the brightness of a lamp that has only a color (``dimmed``).
    package static let brightness = "brightness"

    /// Whether the feature publishes only some fields of a packet (`take` in the file), so that a packet can contain
    /// none of its fields.
    fileprivate var takesPart: Bool {
        guard case .packet(let packet)? = sources.first?.form else { return false }
        return packet.taken != nil
    }

    /// Returns the published form of the values: one plain value, or an object in which absent fields are `null`.
    package func value(of values: JSON.Object) -> JSON.Value {
        if isPlain { return values[names.first ?? ""] ?? .null }
        if values.count == names.count,
            values.members.indices.allSatisfy({ values.members[$0].key == names[$0] })
        {
            return .object(values)
        }
        return .object(JSON.Object(names.map { ($0, values[$0] ?? .null) }))
    }
}

extension ReportEntry.Source {
    /// Decodes the bytes of a characteristic. The second argument is the offset of the host's time zone, in minutes
    /// east of UTC.
    typealias Reader = @Sendable ([UInt8], Int) throws(PacketMisfit) -> PacketReading

    /// A function that decodes the bytes of a characteristic. The closure captures the ``Form``, so that a call does
    /// not copy it.
    var reader: Reader {
        switch form {
        case .packet(let packet):
            { bytes, utcOffset throws(PacketMisfit) in try packet.read(bytes, utcOffset: utcOffset) }
        case .line(let pattern): { bytes, _ throws(PacketMisfit) in PacketReading(try pattern.read(bytes)) }
        }
    }

    package func read(_ bytes: [UInt8]) throws(PacketMisfit) -> JSON.Object { try reader(bytes, 0).values }
}

import JSON

// The properties of a characteristic, derived from its use in the file.
extension DeviceFile {
    package var writes: [WriteStep] {
        let steps = setup.compactMap { if case .write(let step) = $0.action { step } else { nil } }
        let repeated = every.compactMap { if case .write(let step) = $0.action { step } else { nil } }
        let commands = features.compactMap(\.command).flatMap { $0.steps + ($0.end ?? []) }
        return steps + repeated + goodbye + will + stop + commands
    }

    /// Whether the setup subscribes to a characteristic.
    package func notifies(_ index: Int) -> Bool {
        setup.contains { if case .subscribe(index, _) = $0.action { true } else { false } }
            || writes.contains { $0.wait?.characteristic == index }
    }

    package func reads(_ index: Int) -> Bool {
        setup.contains { step in
            switch step.action {
            case .read(index): true
            case .subscribe(index, let period): period != nil
            default: false
            }
        } || every.contains { if case .read(index) = $0.action { true } else { false } }
            || writes.contains { $0.characteristic == index && $0.content.isRead }
    }

    /// Returns the value of a characteristic in the first example of a visit; nil if there is none.
    package func visitedValue(_ index: Int) -> [UInt8]? {
        examples.lazy.flatMap(\.steps).compactMap { step in
            if case .visit(let reads) = step.action { reads[index] } else { nil }
        }.first
    }

    /// Returns a notification for which the step that writes these bytes waits: the index of the characteristic, and
    /// the notified value. Returns nil if no step waits after this write, or if no such value is known.
    ///
    /// A step that always writes these bytes is preferred to a step that writes them only for certain values of its
    /// fields.
    package func answer(to bytes: [UInt8], on index: Int) -> (characteristic: Int, value: [UInt8])? {
        let waiting = writes.filter { $0.characteristic == index && $0.wait != nil }
        let step =
            waiting.first { $0.content.fixedBytes == bytes } ?? waiting.first { $0.content.canBe(bytes) }
        guard let wait = step?.wait else { return nil }
        // If the step waits for any notification, whatever it contains, the value is a placeholder.
        let value = Waiter(wait, written: bytes).entry.target.map(\.example) ?? Array("ok".utf8)
        return value.map {
            (wait.characteristic, $0 + (characteristics[wait.characteristic].lines?.end ?? []))
        }
    }

    /// Returns the bytes of a value that a user typed for a simulated device. If the characteristic has lines, the
    /// value is text, and the end of the line is appended. Otherwise the value consists of pairs of hexadecimal digits.
    /// Returns nil for any other text.
    package func value(_ text: String, of index: Int) -> [UInt8]? {
        if let lines = characteristics[index].lines {
            let bytes = Array(text.utf8)
            let end = lines.end ?? []
            return bytes.suffix(end.count).elementsEqual(end) ? bytes : bytes + end
        }
        return Self.bytes(text)
    }

    /// Converts pairs of hexadecimal digits to bytes; returns nil for any other text.
    package static func bytes(_ text: String) -> [UInt8]? {
        guard let pattern = BytePattern(text), pattern.isFixed else { return nil }
        return pattern.example
    }
}

extension WriteStep.Content {
    /// The bytes of the write if they are constant; nil if the write contains fields.
    var fixedBytes: [UInt8]? {
        switch self {
        case .bytes(let bytes): bytes
        case .text(let template): try? template.write([:])
        case .packet(let packet): try? packet.write([:]).bytes
        case .read: nil
        }
    }

    /// Whether the step writes these bytes for some values of its fields.
    fileprivate func canBe(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .bytes(let fixed): fixed == bytes
        case .text(let template): template.fits(bytes)
        case .packet(let packet): (try? PacketFormat(packet.items, isExact: true).read(bytes)) != nil
        case .read: false
        }
    }
}

extension TextTemplate {
    /// Whether the bytes contain the literal parts in order, with any bytes in place of the fields.
    fileprivate func fits(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        var isAfterField = false
        for (index, part) in parts.enumerated() {
            guard case .literal(let literal) = part else {
                isAfterField = true
                continue
            }
            if isAfterField, index == parts.count - 1 { return rest.suffix(literal.count) == literal[...] }
            guard let place = rest.firstRange(of: literal),
                isAfterField || place.lowerBound == rest.startIndex
            else { return false }
            rest = rest[place.upperBound...]
            isAfterField = false
        }
        return isAfterField || rest.isEmpty
    }
}

extension Glob {
    /// A text that matches the pattern.
    package var example: String { description.replacing("*", with: "").replacing("?", with: "0") }
}

extension WaitEntry.Target {
    /// Example bytes for which the step waits; nil if no such bytes are known.
    var example: [UInt8]? {
        switch self {
        case .bytes(let pattern): pattern.example
        case .text(let bytes): bytes
        case .packet(let packet): packet.example
        }
    }
}

package import DeviceKit
package import JSON

extension TextTemplate {
    /// Returns the text as bytes.
    ///
    /// - Parameters:
    ///   - values: The fields of the command.
    ///   - settings: The settings of the device.
    /// - Throws: ``CommandError`` with the field that does not fit. Control characters and line ends are rejected,
    ///   because they could start a second command.
    package func write(_ values: JSON.Object, settings: Arguments = [:]) throws(CommandError) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in parts {
            switch part {
            case .literal(let literal): bytes += literal
            case .field(let name, let format): bytes += try format.bytes(of: values[name], name)
            case .setting(let name, let format):
                do throws(CommandError) {
                    bytes += try format.bytes(of: settings[name], "settings.\(name)")
                } catch {
                    // The original message quotes the value of a setting, which may be a secret. The message here omits
                    // the value, because the sender of the command receives the message.
                    throw CommandError(
                        error.code,
                        "settings.\(name): the configured value does not fit this write; correct the configuration"
                    )
                }
            }
        }
        guard bytes.count <= PacketFormat.limit else {
            throw CommandError(
                .outOfRange, "a text of at most \(PacketFormat.limit) bytes, got \(bytes.count)")
        }
        return bytes
    }

    /// The names of the settings whose values the text contains.
    var settings: Set<String> {
        Set(parts.compactMap { if case .setting(let name, _) = $0 { name } else { nil } })
    }

    /// Whether the text is the same for every command and every device.
    package var isFixed: Bool {
        parts.allSatisfy { if case .literal = $0 { true } else { false } }
    }
}

extension TextTemplate.Format {
    fileprivate func bytes(of value: JSON.Value?, _ name: String) throws(CommandError) -> [UInt8] {
        guard let value, value != .null else { throw PacketFormat.missing(name) }
        switch self {
        case .plain:
            guard let text = value.string else { return value.bytes }
            return try Self.checked(text, name)
        case .base64: return Array(Base64.text(of: try Self.raw(value, name)).utf8)
        case .hex: return Array(Base16.text(of: try Self.raw(value, name)).utf8)
        case .number(let number): return Array(try number.text(of: value, name).utf8)
        }
    }

    private static func checked(_ text: String, _ name: String) throws(CommandError) -> [UInt8] {
        // Rejects line and paragraph separators as well as control characters.
        guard !text.unicodeScalars.contains(where: \.isControl) else {
            throw CommandError(.invalidValue, "\(name): no control characters and no line ends")
        }
        return Array(text.utf8)
    }

    private static func raw(_ value: JSON.Value, _ name: String) throws(CommandError) -> [UInt8] {
        if let text = value.string { return Array(text.utf8) }
        guard let elements = value.array else { return try raw(.array([value]), name) }
        var bytes: [UInt8] = []
        for (index, element) in elements.enumerated() {
            guard let byte = element.integer.flatMap({ UInt8(exactly: $0) }) else {
                throw CommandError(
                    .outOfRange, "\(name)[\(index)]: 0...255, got \(PacketFormat.excerpt(element))")
            }
            bytes.append(byte)
        }
        return bytes
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control character or ends a line.
    var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension TextTemplate.Number {
    fileprivate func text(of value: JSON.Value, _ name: String) throws(CommandError) -> String {
        guard let number = Decimal(json: value) else {
            throw CommandError(.invalidValue, "\(name): a number, got \(PacketFormat.excerpt(value))")
        }
        let digits: String
        switch conversion {
        case .decimal: digits = String((try whole(number, name)).magnitude)
        case .hex, .upperHex:
            let whole = try whole(number, name)
            guard whole >= 0 else {
                throw CommandError(.outOfRange, "\(name): at least 0, got \(PacketFormat.excerpt(value))")
            }
            digits = String(whole, radix: 16, uppercase: conversion == .upperHex)
        case .fixed:
            guard let units = number.units(places) else {
                throw CommandError(.outOfRange, "\(name): too large, got \(PacketFormat.excerpt(value))")
            }
            let text = String(units.magnitude)
            let padded = String(repeating: "0", count: max(0, places + 1 - text.count)) + text
            digits = places == 0 ? padded : "\(padded.dropLast(places)).\(padded.suffix(places))"
        }
        let isNegative = number.coefficient < 0 && digits.contains { $0 != "0" && $0 != "." }
        let sign = isNegative ? "-" : ""
        let room = max(0, width - digits.count - sign.count)
        let fill = String(repeating: isZeroPadded ? "0" : " ", count: room)
        return isZeroPadded ? sign + fill + digits : fill + sign + digits
    }

    private func whole(_ number: Decimal, _ name: String) throws(CommandError) -> Int128 {
        guard let whole = number.rounded(0).whole else {
            throw CommandError(.outOfRange, "\(name): too large, got \(number)")
        }
        return whole
    }
}

import JSON

// Reports of a simulated belt.
extension Program {
    /// Returns the first write of these bytes to a characteristic from here on.
    ///
    /// - Parameters:
    ///   - characteristic: The 16-bit UUID, such as `FE03`.
    ///   - bytes: Hexadecimal digits, with or without spaces.
    @discardableResult
    func expectWrite(_ characteristic: String, _ bytes: String) throws -> JSON.Value {
        let hex = bytes.replacing(" ", with: "").lowercased()
        return try expect("\(bytes) written to \(characteristic)") { line in
            line["event"] == "write" && line["hex"]?.string == hex
                && line["characteristic"]?.string?.hasPrefix("0000\(characteristic.lowercased())") == true
        }
    }

    /// Waits until exactly these motors vibrate.
    func expectMotors(_ motors: [Int], within limit: Duration = .seconds(5)) throws {
        try expect("motors \(motors) vibrate", within: limit) { line in
            line["event"] == "feel" && line["motors"]?.array?.compactMap { $0["motor"]?.integer } == motors
        }
    }

    /// Waits until the belt is in a mode.
    func expectMode(_ mode: String) throws {
        try expect("mode \(mode)") { $0["event"] == "mode" && $0["mode"]?.string == mode }
    }
}

import Bluetooth

/// A device that an adapter stores across a restart of the daemon, as one line of a file.
struct KnownDevice: Hashable, Sendable {
    var adapter: Address
    var device: Address
    var isBonded: Bool
    var isTrusted: Bool

    /// The line of the file, such as `02:B1:7E:00:00:00 C0:FF:EE:00:BE:01 bonded trusted`.
    var line: String {
        var words = [adapter.description, device.description]
        if isBonded { words.append("bonded") }
        if isTrusted { words.append("trusted") }
        return words.joined(separator: " ")
    }

    init(adapter: Address, device: Address, isBonded: Bool, isTrusted: Bool) {
        self.adapter = adapter
        self.device = device
        self.isBonded = isBonded
        self.isTrusted = isTrusted
    }

    /// Parses a ``line``; nil for anything else.
    init?(line: some StringProtocol) {
        let words = line.split(separator: " ")
        guard words.count >= 2, let adapter = Address(words[0]), let device = Address(words[1]),
            words.dropFirst(2).allSatisfy({ $0 == "bonded" || $0 == "trusted" })
        else { return nil }
        self.init(
            adapter: adapter, device: device, isBonded: words.contains("bonded"),
            isTrusted: words.contains("trusted"))
    }
}

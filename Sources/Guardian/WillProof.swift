/// Knows of which devices the process is known to have the will: a pure value.
///
/// The process reads in order, and a ping is sent behind all that was to be told. So its answer proves every will that
/// was kept before the ping was sent.
struct WillProof: Hashable, Sendable {
    /// The devices whose first will no ping has followed yet.
    private var unasked: Set<String> = []
    /// The devices whose first will was sent ahead of a ping, and the number of that ping.
    private var asked: [String: UInt64] = [:]
    /// The devices of which an answer proved that the process has the will.
    private var proven: Set<String> = []

    /// Whether a ping is needed.
    var needsPing: Bool { !unasked.isEmpty }

    /// A will of a device is to be told. Only the first one needs a proof.
    mutating func keep(_ device: String) {
        guard !proven.contains(device), asked[device] == nil else { return }
        unasked.insert(device)
    }

    /// No will of a device is kept any more; the next one is a first one again.
    mutating func forget(_ device: String) {
        unasked.remove(device)
        asked[device] = nil
        proven.remove(device)
    }

    /// Another process was started, which has no will yet of the devices that have one.
    mutating func restart(with devices: [String]) {
        self = WillProof()
        unasked = Set(devices)
    }

    /// A ping goes out behind all that was to be told.
    mutating func pinged(_ number: UInt64) {
        for device in unasked { asked[device] = number }
        unasked = []
    }

    /// Takes the answer to a ping.
    ///
    /// - Returns: The devices of which the process is known to have the will from now on, by path.
    mutating func answered(_ number: UInt64) -> [String] {
        let devices = asked.filter { $0.value <= number }.keys.sorted()
        for device in devices { asked[device] = nil }
        proven.formUnion(devices)
        return devices
    }
}

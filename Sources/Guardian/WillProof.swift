/// Tracks the devices for which it is proven that the guardian process has their wills. A value without side effects.
///
/// The process reads messages in order, and a ping is sent after all queued messages. So the answer to a ping proves
/// that the process has every will that was sent before.
struct WillProof: Hashable, Sendable {
    /// The devices whose first will is queued or sent, but no ping has been sent after it yet.
    private var unasked: Set<String> = []
    /// The devices whose first will was sent before a ping, with the number of that ping.
    private var asked: [String: UInt64] = [:]
    /// The devices whose wills the guardian process has, as its answer to a ping proves.
    private var proven: Set<String> = []

    var needsPing: Bool { !unasked.isEmpty }

    /// Records that a will of a device will be sent. Only the first will of a device needs a proof.
    mutating func keep(_ device: String) {
        guard !proven.contains(device), asked[device] == nil else { return }
        unasked.insert(device)
    }

    /// Removes a device; its next will counts as its first again.
    mutating func forget(_ device: String) {
        unasked.remove(device)
        asked[device] = nil
        proven.remove(device)
    }

    /// Resets the proofs for a new process, which has no wills yet.
    mutating func restart(with devices: [String]) {
        self = WillProof()
        unasked = Set(devices)
    }

    /// Records a ping that is sent after all queued messages.
    mutating func pinged(_ number: UInt64) {
        for device in unasked { asked[device] = number }
        unasked = []
    }

    /// Handles the answer to a ping.
    ///
    /// - Returns: The devices whose wills are newly proven, sorted by path.
    mutating func answered(_ number: UInt64) -> [String] {
        let devices = asked.filter { $0.value <= number }.keys.sorted()
        for device in devices { asked[device] = nil }
        proven.formUnion(devices)
        return devices
    }
}

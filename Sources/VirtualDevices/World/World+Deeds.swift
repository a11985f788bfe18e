import Bluetooth

extension World {
    /// Carries out what a live line or a plan asks of a device.
    mutating func perform(
        _ deed: LiveLine.Deed, on index: Int, at now: Duration, outputs: inout [WorldOutput]
    ) {
        let name = hosts[index].name
        switch deed {
        case .act(let words): deliver(.act(words), to: index, at: now, outputs: &outputs)
        case .drop:
            if hosts[index].isConnected { outputs.append(.drop(device: name)) }
        case .mute(let isMuted):
            guard hosts[index].isMuted != isMuted else { return }
            hosts[index].isMuted = isMuted
            outputs.append(.mute(device: name, isMuted))
            updateAdvertising(of: index, outputs: &outputs)
        case .garbage(let count):
            hosts[index].garbage = Garbage(remaining: count, due: now + Garbage.pace)
        }
    }

    /// Notifications without sense, and how many of them are still to come.
    struct Garbage: Sendable {
        var remaining: Int
        var due: Duration

        /// The time between two bursts, which lets the server and its client breathe.
        static let pace: Duration = .milliseconds(5)
        /// How many notifications on every characteristic a burst has.
        static let burst = 8
    }

    /// Sends the next burst: on every notifying characteristic random bytes, or a piece of what it last sent.
    mutating func throwGarbage(at index: Int, now: Duration, outputs: inout [WorldOutput]) {
        guard var garbage = hosts[index].garbage else { return }
        let targets = hosts[index].device.services.flatMap(\.characteristics)
            .filter { !$0.properties.isDisjoint(with: [.notify, .indicate]) }.map(\.id)
        for _ in 0..<min(garbage.remaining, Garbage.burst) {
            for id in targets {
                let bytes = nonsense(for: id, of: index)
                notify(id, bytes, of: index, outputs: &outputs)
            }
        }
        garbage.remaining -= Garbage.burst
        garbage.due = now + Garbage.pace
        hosts[index].garbage = garbage.remaining > 0 ? garbage : nil
    }

    private mutating func nonsense(for id: CharacteristicID, of index: Int) -> [UInt8] {
        let last = hosts[index].lastValues[id] ?? []
        if !last.isEmpty, Bool.random(using: &random) {
            return Array(last.prefix(Int.random(in: 0..<last.count, using: &random)))
        }
        let count = Int.random(in: 0...20, using: &random)
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }
}

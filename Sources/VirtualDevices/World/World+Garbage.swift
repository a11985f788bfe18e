import Bluetooth

extension World {
    /// The characteristics that support notifications, in the order of the table.
    func notifying(_ index: Int) -> [CharacteristicID] {
        hosts[index].device.services.flatMap(\.characteristics)
            .filter { !$0.properties.isDisjoint(with: [.notify, .indicate]) }.map(\.id)
    }

    /// Sends the next burst of a test with random notifications (see ``Garbage``). Each characteristic that supports
    /// notifications sends random bytes or a part of its last value.
    mutating func throwGarbage(at index: Int, now: Duration, outputs: inout [WorldOutput]) {
        guard var garbage = hosts[index].garbage else { return }
        garbage.begin(
            at: now, subscriptions: hosts[index].isConnected ? hosts[index].subscriptions : [])
        let targets = notifying(index).filter { hosts[index].subscriptions.contains($0) }
        for _ in 0..<Garbage.burst where targets.contains(where: { garbage.wants($0, at: now) }) {
            hosts[index].roundsSinceFarewell += 1
            for id in targets where garbage.wants(id, at: now) {
                let (bytes, isFarewell) = nonsense(for: id, of: index)
                notify(id, bytes, of: index, outputs: &outputs)
                garbage.note(id, isFarewell: isFarewell, at: now)
                if isFarewell { hosts[index].roundsSinceFarewell = 0 }
            }
        }
        guard garbage.isOver(at: now) else { return hosts[index].garbage = garbage }
        hosts[index].garbage = nil
        tell(.garbage(wanted: garbage.wanted, sent: garbage.sent), of: index, at: now, outputs: &outputs)
    }

    /// Generates a random value, and reports whether it is a farewell: a value that announces that the device switches
    /// off, so that a client may disconnect. Farewells are limited by ``Garbage/roundsWithoutFarewell``.
    private mutating func nonsense(
        for id: CharacteristicID, of index: Int
    ) -> (bytes: [UInt8], isFarewell: Bool) {
        while true {
            let bytes = randomBytes(for: id, of: index)
            let isFarewell = hosts[index].device.saysFarewell(bytes, on: id)
            if !isFarewell || hosts[index].roundsSinceFarewell > Garbage.roundsWithoutFarewell {
                return (bytes, isFarewell)
            }
        }
    }

    private mutating func randomBytes(for id: CharacteristicID, of index: Int) -> [UInt8] {
        let last = hosts[index].lastValues[id] ?? []
        if !last.isEmpty, Bool.random(using: &random) {
            return Array(last.prefix(Int.random(in: 0..<last.count, using: &random)))
        }
        let count = Int.random(in: 0...20, using: &random)
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }
}

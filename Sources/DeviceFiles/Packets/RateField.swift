import JSON

/// A rate that follows from two counters of successive packets.
package struct RateField: Hashable, Sendable {
    /// A counter of the packet.
    package struct Counter: Hashable, Sendable {
        /// The index of the item.
        package var item: Int
        /// The size of the item in bits: the counter wraps after 2 to the power of it.
        package var bits: Int

        package init(item: Int, bits: Int) {
            self.item = item
            self.bits = bits
        }

        /// The steps from an older to a newer value.
        fileprivate func steps(from old: Int128, to new: Int128) -> Int128 {
            (new - old) & ((1 << Int128(bits)) - 1)
        }
    }

    package var name: String
    /// The counter of what is measured.
    package var counted: Counter
    /// The counter of time.
    package var time: Counter
    /// The steps of the time counter in a second.
    package var ticks: Decimal
    /// The factor of counts a second.
    package var scale: Decimal
    /// The number of decimals.
    package var places: Int
    /// A greater rate is null, because a counter has restarted.
    package var maximum: Decimal?
    /// The time without a change of the time counter after which the rate is 0.
    package var zeroAfter: Duration
    package var look: FieldLook

    /// The state between two packets.
    struct Progress: Sendable {
        private var last: (counted: Int128, time: Int128, at: Duration)?
        private var rate = JSON.Value.null

        /// Handles a packet; returns the rate.
        mutating func advance(_ field: RateField, _ raws: [Int128?], at now: Duration) -> JSON.Value {
            guard let counted = raws[field.counted.item], let time = raws[field.time.item] else {
                return .null
            }
            guard let last else {
                last = (counted, time, now)
                return .null
            }
            let ticks = field.time.steps(from: last.time, to: time)
            guard ticks > 0 else {
                if now - last.at >= field.zeroAfter { rate = 0 }
                return rate
            }
            self.last = (counted, time, now)
            let steps = field.counted.steps(from: last.counted, to: counted)
            rate = field.rate(steps, ticks) ?? .null
            return rate
        }
    }

    /// The rate for steps of both counters; nil if it exceeds the maximum.
    private func rate(_ steps: Int128, _ elapsed: Int128) -> JSON.Value? {
        guard let product = Decimal.product(Decimal(steps), scale).flatMap({ Decimal.product($0, ticks) }),
            let value = Scaling(1, over: Decimal(elapsed), places: places).value(of: product)
        else { return nil }
        return maximum.map { value > $0 } ?? false ? nil : value.json
    }
}

import JSON

/// A rate, such as revolutions per minute, that is computed from two counters in successive packets.
package struct RateField: Hashable, Sendable {
    /// A counter in the packet.
    package struct Counter: Hashable, Sendable {
        /// The index of the packet item that contains the counter.
        package var item: Int
        /// The size of the item in bits. The counter wraps at 2 to the power of this size.
        package var bits: Int

        package init(item: Int, bits: Int) {
            self.item = item
            self.bits = bits
        }

        /// Returns the number of steps from an older to a newer value.
        fileprivate func steps(from old: Int128, to new: Int128) -> Int128 {
            (new - old) & ((1 << Int128(bits)) - 1)
        }
    }

    package var name: String
    /// The counter of the measured events, such as revolutions.
    package var counted: Counter
    /// The counter that measures the time.
    package var time: Counter
    /// The number of steps of the time counter in a second.
    package var ticks: Decimal
    /// The factor by which the number of counts per second is multiplied.
    package var scale: Decimal
    /// The number of decimals to which the rate is rounded.
    package var places: Int
    /// The maximum of the rate. A greater rate is published as `null`, because it shows that a counter has restarted.
    package var maximum: Decimal?
    /// The time without a change of the time counter after which the rate is 0.
    package var zeroAfter: Duration
    package var look: FieldLook

    /// The last values of both counters, and the last rate.
    struct Progress: Sendable {
        private var last: (counted: Int128, time: Int128, at: Duration)?
        private var rate = JSON.Value.null

        /// Handles a packet and returns the rate; `null` if it is unknown.
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

    /// Returns the rate for the steps of both counters; nil if the rate exceeds the maximum.
    private func rate(_ steps: Int128, _ elapsed: Int128) -> JSON.Value? {
        guard let product = Decimal.product(Decimal(steps), scale).flatMap({ Decimal.product($0, ticks) }),
            let value = Scaling(1, over: Decimal(elapsed), places: places).value(of: product)
        else { return nil }
        return maximum.map { value > $0 } ?? false ? nil : value.json
    }
}

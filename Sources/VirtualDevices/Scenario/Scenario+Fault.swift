public import Bluetooth

extension Scenario {
    /// A weakness in how a device answers.
    public struct Fault: Hashable, Sendable {
        /// What goes wrong.
        public var kind: Kind
        /// The characteristic that it concerns; nil for all.
        public var characteristic: UUID?
        /// When it begins, after the start.
        public var after: Duration
        /// How long it lasts; nil to the end.
        public var lasting: Duration?
        /// How many requests it strikes; nil for all.
        public var times: Int?

        /// Makes a fault.
        public init(
            _ kind: Kind, characteristic: UUID? = nil, after: Duration = .zero, lasting: Duration? = nil,
            times: Int? = nil
        ) {
            self.kind = kind
            self.characteristic = characteristic
            self.after = after
            self.lasting = lasting
            self.times = times
        }

        /// What can go wrong with an answer.
        public enum Kind: Hashable, Sendable {
            /// Reads and writes are taken up that much later.
            case slow(Duration)
            /// Writes are refused with this ATT error code; the device does not see them.
            case refuse(UInt8)
        }

        /// Whether it strikes a request to `characteristic`, `elapsed` after the start.
        func strikes(_ characteristic: UUID, elapsed: Duration) -> Bool {
            guard self.characteristic.map({ $0 == characteristic }) ?? true, elapsed >= after else {
                return false
            }
            if let lasting, elapsed >= after + lasting { return false }
            return times.map { $0 > 0 } ?? true
        }
    }
}

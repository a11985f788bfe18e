public import Bluetooth

extension Scenario {
    /// A fault that the scenario adds to a device's answers.
    public struct Fault: Hashable, Sendable {
        /// What the fault does to a request.
        public var kind: Kind
        /// The characteristic that the fault affects; nil for all characteristics.
        public var characteristic: UUID?
        /// When the fault starts, relative to the start of the simulation.
        public var after: Duration
        /// How long the fault lasts; nil for the rest of the simulation.
        public var lasting: Duration?
        /// The number of requests that the fault affects; nil for no limit.
        public var times: Int?

        /// Creates a fault.
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

        /// What a fault does to a request.
        public enum Kind: Hashable, Sendable {
            /// The device receives reads and writes with this delay.
            case slow(Duration)
            /// Writes are rejected with this ATT error code and do not reach the device.
            case refuse(UInt8)
        }

        /// Whether the fault affects a request to `characteristic` that arrives `elapsed` after the start of the
        /// simulation.
        func strikes(_ characteristic: UUID, elapsed: Duration) -> Bool {
            guard self.characteristic.map({ $0 == characteristic }) ?? true, elapsed >= after else {
                return false
            }
            if let lasting, elapsed >= after + lasting { return false }
            return times.map { $0 > 0 } ?? true
        }
    }
}

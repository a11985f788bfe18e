public import Bluetooth

extension Scenario {
    /// A fault in a device's answers.
    public struct Fault: Hashable, Sendable {
        /// The kind of fault.
        public var kind: Kind
        /// The characteristic that the fault affects; nil for all characteristics.
        public var characteristic: UUID?
        /// The start of the fault, relative to the start of the simulation.
        public var after: Duration
        /// The duration of the fault; nil for the rest of the simulation.
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

        /// The kind of fault.
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

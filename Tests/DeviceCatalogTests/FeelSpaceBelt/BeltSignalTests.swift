import Testing

@testable import DeviceCatalog

@Suite("The packets of signals")
struct BeltSignalTests {
    /// Signal, pattern, iterations, period, its own place, and whether it is exclusive.
    private static let signals: [(BeltSignal, UInt8, UInt8?, UInt16, BeltPlace?, Bool)] = [
        (.navigating, 1, nil, 500, nil, false), (.approachingDestination, 2, nil, 500, nil, false),
        (.ongoingTurn, 3, nil, 750, nil, false), (.nextWaypointLong, 3, nil, 3000, nil, false),
        (.nextWaypointMedium, 3, nil, 1500, nil, false), (.nextWaypointShort, 3, nil, 1000, nil, false),
        (.waypointReached, 3, nil, 750, nil, false), (.destinationReached, 9, nil, 5000, .motor(0), false),
        (.direction, 1, 1, 1000, nil, false), (.destinationReachedOnce, 9, 1, 2500, .motor(0), true),
        (.operationWarning, 6, 2, 500, .motor(0), true), (.criticalWarning, 3, 3, 700, .motors(0x1111), true),
    ]

    @Test("Each signal has the packet of the current controllers", arguments: signals)
    func packet(
        _ signal: BeltSignal, _ pattern: UInt8, _ iterations: UInt8?, _ period: UInt16, _ place: BeltPlace?,
        _ isExclusive: Bool
    ) {
        #expect(
            signal.command(on: 2, direction: 45)
                == .configure(
                    BeltChannelConfiguration(
                        channel: 2, pattern: BeltPattern(rawValue: pattern),
                        intensity: signal == .operationWarning ? 25 : nil, place: place ?? .bearing(45),
                        iterations: iterations, period: period, isExclusive: isExclusive)))
        #expect(signal.isRepeated == (iterations == nil))
        #expect(signal.isDirectional == (place == nil))
        #expect((signal.command(on: 2) == nil) == signal.isDirectional)
    }

    @Test("No vibration stops only the navigation channel; the battery level is a system signal")
    func otherPackets() {
        #expect(BeltSignal.none.command(on: 2)?.bytes == bytes("30 02"))
        #expect(BeltSignal.batteryLevel.command(on: 0)?.bytes == bytes("20 02"))
    }
}

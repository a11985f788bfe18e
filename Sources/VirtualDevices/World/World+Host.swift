import Bluetooth

extension World {
    /// A virtual device and its state in the simulation: connections, timers, steps and faults.
    struct Host: Sendable {
        var device: any VirtualDevice
        var settings: Scenario.Device
        /// How many hosts are connected to the device.
        var links = 0
        var isMuted = false
        var wantsToAdvertise = false
        /// Whether the device advertises, as last reported to the server.
        var isAdvertising = false
        var subscriptions: Set<CharacteristicID> = []
        /// When each timer of the device expires, by the timer's name.
        var timers: [String: Duration] = [:]
        var steps: [PendingStep] = []
        /// The requests that are answered later because of a fault, in the order of their arrival.
        var requests: [PendingRequest] = []
        var garbage: Garbage?
        /// The number of rounds of random notifications since the last farewell.
        var roundsSinceFarewell = 0
        /// The last notified value of each characteristic, from which the burst test takes partial values.
        var lastValues: [CharacteristicID: [UInt8]] = [:]

        struct PendingStep: Sendable {
            var due: Duration
            var step: Scenario.Step
            var remaining: Int?
        }

        struct PendingRequest: Sendable {
            var due: Duration
            var stimulus: Stimulus
            var request: Int
        }

        /// What happens to the device next.
        enum Due {
            case request
            case timer(String)
            case step(Int)
            case garbage
        }

        var name: String { settings.name }

        var isConnected: Bool { links > 0 }

        /// Whether the maximum number of connections is reached.
        var isFull: Bool { links >= settings.centrals }

        /// What the server must know about the device now.
        var peripheral: Peripheral {
            var advertisement = device.advertisement
            advertisement.services += settings.alsoAdvertises
            // The additional services are marked as claimed: clients cannot access them, because BlueZ's plugins use
            // them.
            let services = device.services + settings.alsoHas.map { VirtualService($0, isClaimed: true, []) }
            return Peripheral(
                name: name, address: settings.address, hasRandomAddress: settings.hasRandomAddress,
                rssi: settings.rssi, mtu: settings.mtu, isBonded: settings.isBonded,
                advertisement: advertisement, services: services)
        }

        /// The device's earliest due event and its time.
        ///
        /// If events are due at the same time, requests precede timers, and timers precede steps. Timers are ordered by
        /// name, so that every run is identical.
        var next: (time: Duration, what: Due)? {
            var best: (time: Duration, what: Due)?
            func offer(_ time: Duration, _ what: Due) {
                if best.map({ time < $0.time }) ?? true { best = (time, what) }
            }
            if let first = requests.first { offer(first.due, .request) }
            if let timer = timers.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
                offer(timer.value, .timer(timer.key))
            }
            for (index, step) in steps.enumerated() { offer(step.due, .step(index)) }
            if let garbage { offer(garbage.due, .garbage) }
            return best
        }
    }
}

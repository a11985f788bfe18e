import Bluetooth

extension World {
    /// One device with all that surrounds it: its link, its timers, its plans and its faults.
    struct Host: Sendable {
        var device: any VirtualDevice
        var settings: Scenario.Device
        /// How many hosts hold it.
        var links = 0
        var isMuted = false
        var wantsToAdvertise = false
        /// What the server was told last.
        var isAdvertising = false
        var subscriptions: Set<CharacteristicID> = []
        /// The device's own timers: name and time at which they are due.
        var timers: [String: Duration] = [:]
        var steps: [PendingStep] = []
        /// Requests that a slow answer holds back, in the order of their arrival.
        var requests: [PendingRequest] = []
        var garbage: Garbage?
        /// How many rounds of garbage were sent since one said that the device goes.
        var roundsSinceFarewell = 0
        /// The last value that each characteristic notified, to cut pieces from.
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

        /// What of this device comes next.
        enum Due {
            case request
            case timer(String)
            case step(Int)
            case garbage
        }

        var name: String { settings.name }

        var isConnected: Bool { links > 0 }

        /// Whether it has as many links as it takes.
        var isFull: Bool { links >= settings.centrals }

        /// What a server must know of it now.
        var peripheral: Peripheral {
            var advertisement = device.advertisement
            advertisement.services += settings.alsoAdvertises
            // Clients do not see their contents: BlueZ's own plugins claim them.
            let services = device.services + settings.alsoHas.map { VirtualService($0, isClaimed: true, []) }
            return Peripheral(
                name: name, address: settings.address, hasRandomAddress: settings.hasRandomAddress,
                rssi: settings.rssi, mtu: settings.mtu, isBonded: settings.isBonded,
                advertisement: advertisement, services: services)
        }

        /// The earliest thing that is to happen to this device, and when.
        ///
        /// At the same instant requests come before timers and timers before plans; timers among each other go
        /// by name, so that every run is the same.
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

/// The taps of wearers and the published taps: each notified tap must be published once and in order.
struct TapLedger {
    struct Tap {
        let combination: Int
        let at: Duration
        /// Whether the simulator reported that no client was subscribed.
        var isUnheard = false
    }

    /// A missing tap, or a surplus one.
    struct Fault: Equatable, CustomStringConvertible {
        let device: String
        /// The time of the missing tap; nil for a surplus one.
        var at: Duration?
        let description: String
    }

    /// The number of combinations: this many consecutive taps all differ.
    static let combinations = 31

    private(set) var tapped: [String: [Tap]] = [:]
    private(set) var published: [String: [Int]] = [:]
    /// The number of taps of each device since the simulator last confirmed that it has processed all.
    private var unsettled: [String: Int] = [:]

    /// Records a tap of the wearer's next combination, and returns the combination.
    mutating func tap(_ device: String, at time: Duration) -> Int {
        let combination = tapped[device, default: []].count % Self.combinations + 1
        tapped[device, default: []].append(Tap(combination: combination, at: time))
        unsettled[device, default: 0] += 1
        return combination
    }

    /// Whether a further tap would equal one that the simulator has not confirmed yet.
    func isAmbiguous(_ device: String) -> Bool { unsettled[device, default: 0] >= Self.combinations }

    /// Records that the simulator has processed and reported all earlier taps.
    mutating func settle() { unsettled = [:] }

    /// Records that no client received the newest tap of this combination.
    mutating func unheard(_ device: String, _ combination: Int) {
        guard let index = tapped[device]?.lastIndex(where: { $0.combination == combination }) else { return }
        tapped[device]?[index].isUnheard = true
    }

    mutating func publish(_ device: String, _ combination: Int) {
        published[device, default: []].append(combination)
    }

    /// All violations of these devices.
    func faults(of devices: [String]) -> [Fault] { devices.sorted().flatMap(faults(of:)) }

    /// Compares both lists in order, and finds taps that were published without a tap, and taps that were skipped.
    private func faults(of device: String) -> [Fault] {
        let taps = tapped[device] ?? []
        var faults: [Fault] = []
        var next = 0
        for (number, combination) in (published[device] ?? []).enumerated() {
            guard
                let found = taps[next...].firstIndex(where: {
                    $0.combination == combination && !$0.isUnheard
                })
            else {
                faults.append(
                    Fault(
                        device: device,
                        description:
                            "\(device): tap \(number + 1), \(combination), was never tapped, or came twice"))
                continue
            }
            faults += taps[next..<found].filter { !$0.isUnheard }.map { lost($0, device) }
            next = found + 1
        }
        return faults + taps[next...].filter { !$0.isUnheard }.map { lost($0, device) }
    }

    private func lost(_ tap: Tap, _ device: String) -> Fault {
        Fault(
            device: device, at: tap.at,
            description: "\(device): tap \(tap.combination) at \(tap.at) was notified and not published")
    }

    /// The number of taps that must arrive, and the number that arrived.
    func summary(of devices: [String]) -> String {
        let all = devices.flatMap { tapped[$0] ?? [] }
        let unheard = all.count { $0.isUnheard }
        return "\(all.count) taps: \(all.count - unheard) notified, \(unheard) unheard; "
            + "\(devices.reduce(0) { $0 + (published[$1]?.count ?? 0) }) published"
    }
}

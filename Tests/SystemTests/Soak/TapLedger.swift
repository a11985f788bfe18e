/// What wearers tapped, and what of it was published: each tap that was notified once and in order.
struct TapLedger {
    struct Tap {
        let combination: Int
        let at: Duration
        /// Whether nobody was there to notify, as the simulator says.
        var isUnheard = false
    }

    /// A tap that is missing, or one that should not be.
    struct Fault: Equatable, CustomStringConvertible {
        let device: String
        /// When the missing one was tapped.
        var at: Duration?
        let description: String
    }

    /// How many combinations there are: of so many taps in a row no two are alike.
    static let combinations = 31

    private(set) var tapped: [String: [Tap]] = [:]
    private(set) var published: [String: [Int]] = [:]
    /// How often each device was tapped since the simulator was known to have done all of it.
    private var unsettled: [String: Int] = [:]

    /// The wearer taps the next combination of his; returns it.
    mutating func tap(_ device: String, at time: Duration) -> Int {
        let combination = tapped[device, default: []].count % Self.combinations + 1
        tapped[device, default: []].append(Tap(combination: combination, at: time))
        unsettled[device, default: 0] += 1
        return combination
    }

    /// Whether one more tap could not be told from one of which the simulator may have something to say yet.
    func isAmbiguous(_ device: String) -> Bool { unsettled[device, default: 0] >= Self.combinations }

    /// The simulator has done all that was tapped, and said what it had to say of it.
    mutating func settle() { unsettled = [:] }

    /// The newest tap of this combination reached nobody.
    mutating func unheard(_ device: String, _ combination: Int) {
        guard let index = tapped[device]?.lastIndex(where: { $0.combination == combination }) else { return }
        tapped[device]?[index].isUnheard = true
    }

    mutating func publish(_ device: String, _ combination: Int) {
        published[device, default: []].append(combination)
    }

    /// All that should not be, in words, of the devices that matter.
    func faults(of devices: [String]) -> [Fault] { devices.sorted().flatMap(faults(of:)) }

    /// Walks along both lists: what is published but was not tapped, and what was tapped but is passed over.
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

    /// How many of the taps must arrive, and how many did.
    func summary(of devices: [String]) -> String {
        let all = devices.flatMap { tapped[$0] ?? [] }
        let unheard = all.count { $0.isUnheard }
        return "\(all.count) taps: \(all.count - unheard) notified, \(unheard) unheard; "
            + "\(devices.reduce(0) { $0 + (published[$1]?.count ?? 0) }) published"
    }
}

/// Whether the bridge is draining, and the requests that wait until all links are closed.
package struct Draining {
    /// Whether the bridge disconnects its devices and accepts none. A restart ends draining, so that a host works again
    /// after an upgrade.
    package private(set) var isOn = false
    /// The session numbers of the devices whose links are being closed.
    private var leaving: Set<Int> = []
    /// The names of the devices that had a link when draining started.
    package private(set) var names: [String] = []
    private var waiting: [PendingRequest] = []

    package init() {}

    /// Starts to drain, or continues. The request is answered when all links are closed.
    ///
    /// - Parameter devices: All devices of the bridge, and whether each has a link. Ignored if draining is under way.
    /// - Returns: Whether draining starts now.
    package mutating func begin(
        _ request: PendingRequest, _ devices: [(number: Int, name: String, isLinked: Bool)]
    ) -> Bool {
        waiting.append(request)
        guard !isOn else { return false }
        isOn = true
        leaving = Set(devices.map(\.number))
        names = devices.filter(\.isLinked).map(\.name)
        return true
    }

    package mutating func closed(_ number: Int) { leaving.remove(number) }

    /// Removes and returns the requests that can be answered.
    package mutating func takeAnswered() -> [PendingRequest] {
        guard leaving.isEmpty else { return [] }
        defer { waiting = [] }
        return waiting
    }

    /// Ends draining.
    ///
    /// - Returns: Whether the bridge was draining, and the requests that still wait.
    package mutating func end() -> (wasOn: Bool, waiting: [PendingRequest]) {
        defer { self = Draining() }
        return (isOn, waiting)
    }
}

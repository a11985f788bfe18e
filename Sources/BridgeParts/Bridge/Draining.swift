/// Whether the bridge drains, and who waits until all links are closed.
package struct Draining {
    /// Whether the bridge lets its devices go and takes none. A restart ends it: a host that comes back from an upgrade
    /// works.
    package private(set) var isOn = false
    /// The devices whose links are being closed, by the numbers of their sessions.
    private var leaving: Set<Int> = []
    /// The names of those that had a link when it began.
    package private(set) var names: [String] = []
    private var waiting: [PendingRequest] = []

    package init() {}

    /// Begins, or goes on; a request is answered when all links are closed.
    ///
    /// - Parameter devices: All devices of the bridge, and whether they have a link; ignored where it drains already.
    /// - Returns: Whether it begins.
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

    /// Notes that a link is closed.
    package mutating func closed(_ number: Int) { leaving.remove(number) }

    /// Takes the requests that can be answered.
    package mutating func takeAnswered() -> [PendingRequest] {
        guard leaving.isEmpty else { return [] }
        defer { waiting = [] }
        return waiting
    }

    /// Ends.
    ///
    /// - Returns: Whether it was on, and the requests that still wait.
    package mutating func end() -> (wasOn: Bool, waiting: [PendingRequest]) {
        defer { self = Draining() }
        return (isOn, waiting)
    }
}

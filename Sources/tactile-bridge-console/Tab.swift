import Console

/// One page with its socket. It belongs to the hub, on whose loop it is used.
final class Tab {
    /// After how long a page that takes nothing is cut.
    static let patience = Duration.seconds(5)
    /// How many bytes may be on their way to a page before the next batch waits, and before the page is cut.
    static let limits = (pause: 256 << 10, cut: 1 << 20)

    let number: Int
    let session: Session
    let link: TabLink
    let line: Line
    var filters: [String] = [] {
        didSet { wanted = FilterSet(filters) }
    }
    private var wanted = FilterSet([])
    var feed = TabFeed()
    var grants: Grants
    private var stuckSince: Duration?

    init(_ number: Int, _ session: Session, _ link: TabLink, _ line: Line, _ grants: Grants) {
        self.number = number
        self.session = session
        self.link = link
        self.line = line
        self.grants = grants
    }

    /// Whether the page watches a topic and may.
    func wants(_ topic: String) -> Bool {
        wanted.matches(topic) && grants.mayRead(topic)
    }

    /// Whether the page takes what it is sent.
    func isSlow(at now: Duration) -> Bool {
        guard link.waiting >= Self.limits.pause else {
            stuckSince = nil
            return false
        }
        let since = stuckSince ?? now
        stuckSince = since
        return link.waiting >= Self.limits.cut || now - since >= Self.patience
    }
}

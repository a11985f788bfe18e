import Console

/// One page with its socket. It belongs to the hub, on whose loop it is used.
final class Tab {
    /// After how long a page that takes nothing is cut.
    static let patience = Duration.seconds(5)
    /// How many bytes may be on their way to a page before the next batch waits, and before the page is cut; and
    /// how many of its commands may wait for the broker.
    static let limits = (pause: 256 << 10, cut: 1 << 20, commands: 128)

    /// How far apart changes of what it watches are.
    private static let watchInterval = Duration.milliseconds(250)

    let number: Int
    let session: Session
    let link: TabLink
    let line: Line
    var filters: [String] = [] {
        didSet { wanted = FilterSet(filters) }
    }
    private var wanted = FilterSet([])
    /// What it asked to watch last, and when it was given that of before.
    var newestFilters: [String] = []
    var watchedAt: Duration?
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

    /// On whose behalf its commands are sent.
    var share: String { "page \(number)" }

    /// How long what it asks to watch has to wait.
    ///
    /// Each change has the broker send what it has in store, and a stop would wait behind that.
    func watchDelay(at now: Duration) -> Duration {
        watchedAt.map { max(.zero, $0 + Self.watchInterval - now) } ?? .zero
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

import Console

/// An open page with its WebSocket. An instance belongs to the hub, and is used on the hub's loop.
final class Tab {
    /// The time after which a page that reads nothing is disconnected.
    static let patience = Duration.seconds(5)
    /// The number of unsent bytes at which batches pause, the number at which the page is disconnected, and the maximum
    /// number of the page's commands that wait for the broker.
    static let limits = (pause: 256 << 10, cut: 1 << 20, commands: 128)

    /// The minimum interval between changes of the page's filters.
    private static let watchInterval = Duration.milliseconds(250)

    let number: Int
    let session: Session
    let link: TabLink
    let line: Line
    var filters: [String] = [] {
        didSet { wanted = FilterSet(filters) }
    }
    private var wanted = FilterSet([])
    /// The filters that the page has requested last. They replace ``filters`` after the delay ``watchDelay(at:)``.
    var newestFilters: [String] = []
    /// The time at which the previous change of the filters was applied.
    var watchedAt: Duration?
    var feed = TabFeed()
    /// The time at which the page started to wait for a complete snapshot; nil if the page is not waiting.
    var snapshotDue: Duration?
    var grants: Grants
    private var stuckSince: Duration?

    init(_ number: Int, _ session: Session, _ link: TabLink, _ line: Line, _ grants: Grants) {
        self.number = number
        self.session = session
        self.link = link
        self.line = line
        self.grants = grants
    }

    /// The name of the page, by which waiting commands are counted and limited.
    var share: String { "page \(number)" }

    /// Returns the time for which a change of the filters must wait.
    ///
    /// At each change the broker sends retained messages, which would delay a stop.
    func watchDelay(at now: Duration) -> Duration {
        watchedAt.map { max(.zero, $0 + Self.watchInterval - now) } ?? .zero
    }

    /// Returns whether the page watches a topic and may read it.
    func wants(_ topic: String) -> Bool {
        wanted.matches(topic) && grants.mayRead(topic)
    }

    /// Returns whether the page reads so slowly that it must be disconnected.
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

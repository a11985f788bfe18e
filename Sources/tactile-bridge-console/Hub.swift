import BridgeConfiguration
import BridgeContract
import Console
import DeviceKit
import EventLoop
import JSON
import Logging
import MQTT
import Messages
import Reference

/// The central actor of the console, with the sessions, the pages, and the topics and robots that they watch and drive.
///
/// The hub runs on the event loop of the broker connections. The web server's thread queues the messages of browsers
/// for it.
actor Hub {
    /// The maximum size of a request or of a page's message, in bytes.
    static let messageLimit = Words.messageLimit
    static let tabLimit = 64

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let settings: Settings
    let families: [any DeviceFamily]
    let token: [UInt8]
    let pageFolder: String
    /// The file in which the sessions are stored, so that they survive a restart of the console.
    let sessionFile: SessionFile
    let logger: Logger
    /// The headers of every response.
    let commonHeaders: [(name: String, value: String)]
    let entrance: Entrance
    let roles: ConsoleRoles
    let kinds: TopicKinds
    /// The names of the features whose commands are stops; in a command's topic, the level before `set`.
    let stopNames: Set<String>
    /// The prefix of every topic: empty, or with a slash at its end.
    let prefix: String

    var guesses = LoginGuard()
    var book: SessionBook
    /// The time at which the sessions were last saved.
    var bookSaved = EventLoop.now
    /// The newest task that saves the sessions; the next save waits for it.
    var saving: Task<Void, Never>?
    /// The sessions whose pages may open a WebSocket now, by ticket.
    var tickets: [String: Session] = [:]
    /// The broker connection that all pages share; nil if each login has its own connection.
    var shared: Line?
    /// The broker connection of each session, by the session's id, if each login has its own connection.
    var lines: [String: Line] = [:]
    var tabs: [Int: Tab] = [:]
    var numbers: [ObjectIdentifier: Int] = [:]
    var lastNumber = 0
    nonisolated let mailbox = Mailbox()
    /// The position of the newest stop from a page, in the order in which all messages of pages arrived. Earlier
    /// commands that are processed later are refused.
    var lastStop = 0
    var stops = StopDesk()
    var stopWaiters: [String: [(StopAnswer) -> Void]] = [:]
    /// The pages whose changed filters are not applied yet.
    var watching: Set<Int> = []
    /// The connections that are not a page's WebSocket.
    var visitors = Visitors()
    /// The closures that close the connections in ``visitors``, by number.
    var doors: [Int: @Sendable () -> Void] = [:]
    var lastName = 0
    var desk: DriveDesk
    var flushTimer: LoopTimer?
    var deskTimer: LoopTimer?
    var questionTimer: LoopTimer?
    /// The time at which late questions are checked next; nil if no check is scheduled.
    var questionsDue: Duration?
    var pingTimer: LoopTimer?
    var beatTimer: LoopTimer?
    var snapshotTimer: LoopTimer?
    /// The devices and groups that bridges have published on the broker.
    var names = PublishedNames()
    var list: AccessList
    var grants: [[Role]: Grants] = [:]

    init(
        _ settings: Settings, families: [any DeviceFamily], token: [UInt8], pageFolder: String,
        sessionFile: SessionFile, loop: EventLoop, logger: Logger
    ) {
        self.settings = settings
        self.families = families
        self.token = token
        self.pageFolder = pageFolder
        self.sessionFile = sessionFile
        book = sessionFile.loaded
        self.loop = loop
        self.logger = logger
        commonHeaders = Response.headers(frameAncestors: settings.console.frameAncestors)
        entrance = Entrance(settings.console)
        roles = ConsoleRoles(settings.console)
        kinds = TopicKinds(families)
        stopNames = Set(
            families.flatMap(\.features).filter { $0.command?.traits.contains(.stop) ?? false }.map(\.name)
                + [GroupFeatures.stop.name])
        prefix = settings.mqtt.baseTopic.isEmpty ? "" : "\(settings.mqtt.baseTopic)/"
        list = AccessList(settings.bridge, families: families)
        desk = DriveDesk(maxDelay: .milliseconds(settings.console.maxDriveDelay)) {
            Int.random(in: 0...9_007_199_254_740_991)
        }
    }

    /// Connects to the broker, unless each login has its own connection.
    func start() {
        if settings.console.login != .broker { shared = makeLine(as: nil) }
        shared?.run()
        keepAsking()
        beat()
    }

    /// Stops the robots that pages drive, closes the pages, and disconnects from the broker.
    func finish() async {
        perform(desk.endAll("console", at: EventLoop.now))
        for tab in tabs.values { dismiss(tab, "closing", "the console stops") }
        for timer in [flushTimer, deskTimer, questionTimer, pingTimer, beatTimer, snapshotTimer] {
            timer?.cancel()
        }
        for line in allLines { await line.finish() }
        saveBookSoon()
        await saving?.value
    }

    /// Creates a connection to the broker.
    ///
    /// - Parameter account: The user name and password of a login; nil for the configured user.
    func makeLine(as account: (user: String, password: String)?) -> Line {
        var configuration = settings.mqtt.configuration(will: nil)
        lastName += 1
        configuration.clientID += "-console-\(String(UInt32.random(in: 0...UInt32.max), radix: 16))"
        configuration.limits.events = 1_000
        // The limit is larger than the sum of the limits of all pages.
        configuration.limits.urgent = 10_000
        configuration.limits.streams = 16
        if let account {
            configuration.username = account.user
            configuration.password = Secret(account.password)
        }
        // The topic contains the user's name if it is a valid topic level, because `tactile-bridge acl` lets the user
        // read such a topic.
        let user = configuration.username ?? ""
        let isLevel = !user.isEmpty && !user.contains { "+#/".contains($0) }
        let reply =
            "\(prefix)reply/\(isLevel ? user : "console")/\(String(UInt64.random(in: 0...UInt64.max), radix: 16))"
        var logger = logger
        logger[metadataKey: "account"] = "\(configuration.username ?? "")"
        let client = Client.open(configuration: configuration, loop: loop, logger: logger)
        let line = Line(
            client, replyTopic: reply,
            standing: ["availability", "devices", "groups", BridgeFeatures.echoName].map {
                "\(prefix)bridge/+/\($0)"
            })
        let name = ObjectIdentifier(line)
        client.onEvent { [weak self] event in self?.assumeIsolated { $0.take(event, name) } }
        client.onMessage { [weak self] message in self?.assumeIsolated { $0.take(message, name) } }
        return line
    }

    /// The broker connections of all sessions.
    var allLines: [Line] { Array(lines.values) + (shared.map { [$0] } ?? []) }

    /// Returns the broker connection with an identifier.
    private func line(_ name: ObjectIdentifier) -> Line? {
        if let shared, ObjectIdentifier(shared) == name { return shared }
        return (lines.values.first { ObjectIdentifier($0) == name }) ?? newcomers[name]
    }

    /// The broker connections of logins that the broker has not yet accepted or rejected.
    var newcomers: [ObjectIdentifier: Line] = [:]

    private func take(_ event: MQTT.Event, _ name: ObjectIdentifier) {
        guard let line = line(name) else { return }
        switch event {
        case .connected:
            line.connected()
            for tab in tabs.values where tab.line === line { tab.snapshotDue = EventLoop.now }
            tell(of: line)
            completeSnapshots()
        case .subscribed(let filter, _), .subscribeRefused(let filter, _):
            line.answered(filter, at: EventLoop.now)
        case .disconnected(let error, _):
            let wasConnected = line.isConnected
            line.disconnected(error)
            for topic in line.writes.keys { finishWrite(topic, line, refusal: ("no_broker", "\(error)")) }
            if wasConnected {
                perform(desk.endAll("broker", at: EventLoop.now) { tabs[$0]?.line === line })
            }
            tell(of: line)
        case .publishRefused(let topic, let reason):
            finishWrite(topic, line, refusal: ("not_allowed", "the broker refuses \(topic): \(reason)"))
        default: break
        }
    }

    private func tell(of line: Line) {
        let text = Words.broker(isConnected: line.isConnected, reason: line.reason)
        for tab in tabs.values where tab.line === line { send(text, to: tab) }
    }

    private func take(_ message: IncomingMessage, _ name: ObjectIdentifier) {
        letStopsPass()
        guard let line = line(name), message.payload.count == message.payloadSize else { return }
        let topic = message.topic
        if topic.hasPrefix(line.replyTopic) { return take(answer: message, line) }
        if topic.hasPrefix(prefix), names.take(topic.dropFirst(prefix.count), message.payload, &line.echoes) {
            renew()
        }
        if line.writes[topic]?.payload == message.payload { finishWrite(topic, line) }
        let kind = kinds.kind(topic, isRetained: message.isRetained)
        let delivery = Delivery(topic, message.payload, kind)
        if kind == .state { line.note(delivery, at: EventLoop.now) }
        if let device = deviceOfStatus(topic), desk.needsStatus(device) {
            perform(desk.status(device, blockedBy: Self.blockedBy(message.payload), at: EventLoop.now))
        }
        let wanting = route(topic, line)
        guard !wanting.isEmpty else { return }
        for number in wanting { tabs[number]?.feed.add(delivery) }
        flushSoon()
    }

    private func route(_ topic: String, _ line: Line) -> [Int] {
        if let known = line.routes[topic] { return known }
        if line.routes.count >= 20_000 { line.routes = [:] }
        let found = tabs.values.filter { $0.line === line && $0.wants(topic) }.map(\.number)
        line.routes[topic] = found
        return found
    }

    private func take(answer message: IncomingMessage, _ line: Line) {
        guard let correlation = message.correlation.map({ String(decoding: $0, as: UTF8.self) }) else {
            return
        }
        if correlation.hasPrefix("s"), let number = Int(correlation.dropFirst()) {
            return take(stopAnswer: number, message.payload)
        }
        guard let number = Int(correlation),
            let (question, isFirst) = line.questions.answer(number), let tab = tabs[question.tab]
        else { return }
        if let id = question.id {
            send(Words.answer(id: id, topic: question.topic, response: message.payload), to: tab)
        }
        if let measured = question.measured, isFirst {
            let time = measured.fromTick + (EventLoop.now - question.asked)
            send(Words.roundTrip(measured.device, time), to: tab)
        }
    }

    /// Recomputes the rights of roles, which depend on the current names of devices.
    private func renew() {
        list = names.list(settings.bridge, families)
        grants = [:]
        for line in allLines { line.routes = [:] }
        for tab in tabs.values {
            letStopsPass()
            let before = tab.grants
            tab.grants = grants(of: tab.session.roles)
            for state in tab.line.memory.states({ tab.wants($0) && !before.mayRead($0) }) {
                tab.feed.add(state)
            }
        }
        flushSoon()
    }

    func grants(of roles: [Role]) -> Grants {
        if let known = grants[roles] { return known }
        let new = Grants(roles, list)
        grants[roles] = new
        return new
    }

    private func keepAsking() {
        pingTimer = loop.schedule(after: .seconds(20)) {
            for tab in self.tabs.values {
                tab.link.ping()
                // An open page counts as use of its session, which renews the session.
                _ = self.book.find(tab.session.id, at: EventLoop.now)
            }
            let expired = self.book.expire(at: EventLoop.now)
            for session in expired { self.forget(session) }
            if !expired.isEmpty || EventLoop.now - self.bookSaved >= SessionFile.interval {
                self.saveBookSoon()
            }
            self.keepAsking()
        }
    }

    private func beat() {
        beatTimer = loop.schedule(after: .seconds(2)) {
            for tab in self.tabs.values { self.send(Words.beat, to: tab) }
            self.beat()
        }
    }
}

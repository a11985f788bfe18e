import BridgeConfiguration
import Console
import EventLoop
import JSON
import Logging
import MQTT
import Reference

// The open pages: their WebSockets, the topics that they watch, and the messages that they receive.
extension Hub {
    /// Adds a page whose WebSocket is open. May be called from any thread.
    ///
    /// - Parameter session: The ticket from ``admit(_:_:)``.
    nonisolated func opened(_ link: TabLink, session: String) {
        // The handler is urgent, so that it precedes the first stop of the page, which overtakes other messages.
        deliver(isUrgent: true) { hub, _ in hub.open(link, ticket: session) }
    }

    /// Removes a page whose WebSocket is closed. May be called from any thread.
    nonisolated func closed(_ link: TabLink) {
        // The handler is urgent: it follows the stops of the page, but precedes other waiting messages of the page,
        // which are then ignored.
        deliver(isUrgent: true) { hub, _ in
            if let tab = hub.tab(link) { hub.leave(tab) }
        }
    }

    /// Processes a text from a page. May be called from any thread.
    nonisolated func received(_ text: [UInt8], from link: TabLink) {
        let stop = ClientMessage.stop(in: text)
        link.handsOn(text.count)
        deliver(isUrgent: stop != nil) { hub, number in
            link.wasRead(text.count)
            guard let tab = hub.tab(link) else { return }
            if let stop { hub.take(stop, number, from: tab) } else { hub.take(text, number, from: tab) }
        }
    }

    private func tab(_ link: TabLink) -> Tab? { numbers[ObjectIdentifier(link)].flatMap { tabs[$0] } }

    private func open(_ link: TabLink, ticket: String) {
        guard let session = tickets.removeValue(forKey: ticket), let line = line(of: session) else {
            link.send(Words.bye("logged_out", "log in again").bytes)
            return link.close()
        }
        lastNumber += 1
        let tab = Tab(lastNumber, session, link, line, grants(of: session.roles))
        tab.snapshotDue = EventLoop.now
        tabs[tab.number] = tab
        numbers[ObjectIdentifier(link)] = tab.number
        send(
            Words.hello(
                session, base: prefix, bridges: names.bridges, maxDriveDelay: settings.console.maxDriveDelay),
            to: tab)
        send(Words.broker(isConnected: line.isConnected, reason: line.reason), to: tab)
        for device in desk.devices {
            send(Words.stick(device, holder: desk.holder(device), to: tab.number), to: tab)
        }
    }

    /// Sends the reason to a page, and disconnects the page.
    func dismiss(_ tab: Tab, _ code: String, _ message: String) {
        tab.link.send(Words.bye(code, message).bytes)
        leave(tab)
        tab.link.close()
    }

    private func leave(_ tab: Tab) {
        guard tabs[tab.number] != nil else { return }
        // If the page drives a robot, the stop of the robot is still sent over the page's broker connection.
        perform(desk.leave(tab: tab.number, at: EventLoop.now))
        tabs[tab.number] = nil
        numbers[ObjectIdentifier(tab.link)] = nil
        tab.line.questions.leave(tab: tab.number)
        tab.line.routes = [:]
        watchSoon(over: tab.line)
    }

    /// Sends a message to a page; a page that reads nothing is disconnected.
    func send(_ message: JSON.Value, to tab: Tab) {
        tab.link.send(message.bytes)
        guard tab.link.waiting >= Tab.limits.cut, tabs[tab.number] != nil else { return }
        cut(tab)
    }

    private func cut(_ tab: Tab) {
        logger.notice(
            "a page does not read its messages; disconnecting it",
            metadata: ["waiting": "\(tab.link.waiting)"])
        dismiss(tab, "slow", "this page reads its messages too slowly")
    }

    private func take(_ text: [UInt8], _ number: Int, from tab: Tab) {
        do throws(ClientMessage.Complaint) {
            take(try ClientMessage(text), number, from: tab)
        } catch {
            refuse(tab, error.id, "bad_message", error.message)
        }
    }

    func refuse(_ tab: Tab, _ id: String?, _ code: String, _ message: String, device: String? = nil) {
        send(Words.refused(id: id, code: code, message: message, device: device), to: tab)
    }

    /// - Parameter number: The position of the message in the order in which the messages of all pages arrived. A stop
    ///   that arrived later may have been processed already, because stops come first.
    private func take(_ message: ClientMessage, _ number: Int, from tab: Tab) {
        switch message {
        case .watch(let filters): watch(filters, tab)
        case .publish(let id, _, _) where number < lastStop:
            refuse(tab, id, "stopped", "a stop arrived before this command was sent")
        case .press(let device, _, _) where number < lastStop:
            refuse(tab, nil, "stopped", "a stop arrived before this press", device: device)
        case .publish(let id, let topic, let payload): publish(topic, payload, id, tab)
        case .may(let id, let topic):
            let roles = Role.allCases.filter {
                $0 != .bridge && $0 != .console && grants(of: [$0]).mayPublish(topic)
            }
            send(Words.may(id: id, isAllowed: tab.grants.mayPublish(topic), roles: roles), to: tab)
        case .press(let device, let hold, let takesOver): press(device, hold, takesOver, tab)
        case .drive(let drive):
            let echo = names.bridge(of: drive.device).flatMap { tab.line.echoes[$0] }
            perform(
                desk.drive(
                    drive, tab: tab.number, echo: echo, isWritable: tab.line.isWritable, at: EventLoop.now))
        case .release(let device, let hold):
            perform(desk.release(device, hold: hold, tab: tab.number, at: EventLoop.now))
        case .stop(let device, let id):
            lastStop = max(lastStop, number)
            stop(device, id: id, tab)
        }
    }

    // MARK: Watching

    private func watch(_ filters: [String], _ tab: Tab) {
        tab.newestFilters = filters
        guard watching.insert(tab.number).inserted else { return }
        // If several requests wait, only the newest filters are used.
        _ = loop.schedule(after: tab.watchDelay(at: EventLoop.now)) { self.giveStates(tab) }
    }

    private func giveStates(_ tab: Tab) {
        watching.remove(tab.number)
        guard tabs[tab.number] != nil else { return }
        (tab.filters, tab.watchedAt) = (tab.newestFilters, EventLoop.now)
        tab.line.routes = [:]
        letStopsPass()
        tab.feed.keep { tab.wants($0) }
        watch(over: tab.line)
        letStopsPass()
        for state in tab.line.memory.states({ tab.wants($0) }) { tab.feed.add(state) }
        flushSoon()
        completeSnapshots()
    }

    /// Subscribes to the topics that pages watch, and to the statuses of robots that they drive; at most once in a turn
    /// of the loop.
    func watchSoon(over line: Line) {
        guard !line.isWatchDue else { return }
        line.isWatchDue = true
        _ = loop.schedule(after: .zero) { self.watch(over: line) }
    }

    private func watch(over line: Line) {
        line.isWatchDue = false
        let own = tabs.values.filter { $0.line === line }
        let driven = desk.devices.filter { device in
            desk.holder(device).flatMap { tabs[$0.tab] }?.line === line
        }
        line.watch(Set(own.flatMap(\.filters) + driven.map(statusTopic)), at: EventLoop.now)
        guard let due = line.nextUnsubscribe, !line.isUnsubscribeDue else { return }
        line.isUnsubscribeDue = true
        _ = loop.schedule(after: max(.zero, due - EventLoop.now)) {
            line.isUnsubscribeDue = false
            self.watch(over: line)
        }
    }

    /// Sends pages their waiting messages, immediately or when the minimum interval between batches has passed.
    func flushSoon() {
        guard flushTimer == nil else { return }
        let now = EventLoop.now
        let due = tabs.values.filter { !$0.feed.isEmpty }.map { $0.feed.due(at: now) ?? now }.min()
        guard let due else { return }
        flushTimer = loop.schedule(after: max(.zero, due - now)) {
            self.flushTimer = nil
            self.flush()
        }
    }

    private func flush() {
        let now = EventLoop.now
        for tab in tabs.values where !tab.feed.isEmpty && tab.feed.due(at: now) == nil {
            letStopsPass()
            if tab.isSlow(at: now) {
                cut(tab)
            } else if tab.link.waiting < Tab.limits.pause {
                if let batch = tab.feed.batch(at: now) { tab.link.send(batch) }
            } else {
                tab.feed.wait(at: now)
            }
        }
        flushSoon()
    }

    // MARK: Snapshots

    /// The time without a new state after which a snapshot is complete, and its maximum duration.
    private static let snapshotLimits = (quiet: Duration.milliseconds(300), longest: Duration.seconds(5))

    /// Reports to pages that they have received all retained messages, now or when the broker has sent them.
    func completeSnapshots() {
        snapshotTimer?.cancel()
        snapshotTimer = nil
        let now = EventLoop.now
        var isWaiting = false
        for tab in tabs.values {
            guard let since = tab.snapshotDue, let watchedAt = tab.watchedAt, tab.line.isConnected else {
                continue
            }
            let isQuiet =
                tab.line.isQuiet(for: Self.snapshotLimits.quiet, at: now) && !watching.contains(tab.number)
                && now - watchedAt >= Self.snapshotLimits.quiet
            if tab.feed.isEmpty, isQuiet || now - since >= Self.snapshotLimits.longest {
                tab.snapshotDue = nil
                send(Words.snapshot, to: tab)
            } else {
                isWaiting = true
            }
        }
        guard isWaiting else { return }
        snapshotTimer = loop.schedule(after: .milliseconds(100)) { self.completeSnapshots() }
    }
}

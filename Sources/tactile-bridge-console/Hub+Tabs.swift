import BridgeConfiguration
import Console
import EventLoop
import JSON
import Logging
import MQTT

// The pages: their sockets, what they watch, and what they are given.
extension Hub {
    /// A page's socket is open; from any thread.
    ///
    /// - Parameter session: The ticket that ``admit(_:_:)`` gave.
    nonisolated func opened(_ link: TabLink, session: String) {
        loop.execute { self.assumeIsolated { $0.open(link, ticket: session) } }
    }

    /// A page's socket is closed; from any thread.
    nonisolated func closed(_ link: TabLink) {
        loop.execute {
            self.assumeIsolated { hub in
                guard let number = hub.numbers[ObjectIdentifier(link)], let tab = hub.tabs[number] else {
                    return
                }
                hub.leave(tab)
            }
        }
    }

    /// A page has sent a text; from any thread.
    nonisolated func received(_ text: [UInt8], from link: TabLink) {
        loop.execute {
            link.wasRead()
            self.assumeIsolated { hub in
                guard let number = hub.numbers[ObjectIdentifier(link)], let tab = hub.tabs[number] else {
                    return
                }
                hub.take(text, from: tab)
            }
        }
    }

    private func open(_ link: TabLink, ticket: String) {
        guard let session = tickets.removeValue(forKey: ticket), let line = line(of: session) else {
            link.send(Words.bye("logged_out", "log in anew").bytes)
            return link.close()
        }
        lastNumber += 1
        let tab = Tab(lastNumber, session, link, line, grants(of: session))
        tabs[tab.number] = tab
        numbers[ObjectIdentifier(link)] = tab.number
        link.send(
            Words.hello(session, bridges: world.bridges, maxDriveDelay: settings.console.maxDriveDelay).bytes)
        link.send(Words.broker(isConnected: line.isConnected, reason: line.reason).bytes)
        for device in desk.devices {
            link.send(Words.stick(device, holder: desk.holder(device), to: tab.number).bytes)
        }
    }

    /// Tells a page why it is cut, and cuts it.
    func dismiss(_ tab: Tab, _ code: String, _ message: String) {
        tab.link.send(Words.bye(code, message).bytes)
        leave(tab)
        tab.link.close()
    }

    private func leave(_ tab: Tab) {
        guard tabs[tab.number] != nil else { return }
        // Its stop still goes over its own connection.
        perform(desk.leave(tab: tab.number, at: EventLoop.now))
        tabs[tab.number] = nil
        numbers[ObjectIdentifier(tab.link)] = nil
        tab.line.questions.leave(tab: tab.number)
        tab.line.routes = [:]
        watch(over: tab.line)
    }

    private func take(_ text: [UInt8], from tab: Tab) {
        do throws(ClientMessage.Complaint) {
            take(try ClientMessage(text), from: tab)
        } catch {
            refuse(tab, error.id, "bad_message", error.message)
        }
    }

    func refuse(_ tab: Tab, _ id: String?, _ code: String, _ message: String, device: String? = nil) {
        tab.link.send(Words.refused(id: id, code: code, message: message, device: device).bytes)
    }

    private func take(_ message: ClientMessage, from tab: Tab) {
        switch message {
        case .watch(let filters): watch(filters, tab)
        case .publish(let id, let topic, let payload): publish(topic, payload, id, tab)
        case .press(let device, let hold, let takesOver): press(device, hold, takesOver, tab)
        case .drive(let drive):
            let echo = world.bridge(of: drive.device).flatMap { tab.line.echoes[$0] }
            perform(
                desk.drive(
                    drive, tab: tab.number, echo: echo, isWritable: tab.line.isWritable, at: EventLoop.now))
        case .release(let device, let hold):
            perform(desk.release(device, hold: hold, tab: tab.number, at: EventLoop.now))
        case .stop(let device):
            if !stop(device, over: tab.line) {
                refuse(tab, nil, "no_broker", "there is no connection to the broker", device: device)
            }
        }
    }

    // MARK: Watching

    private func watch(_ filters: [String], _ tab: Tab) {
        tab.filters = filters
        tab.feed.keep { tab.wants($0) }
        tab.line.routes = [:]
        watch(over: tab.line)
        for state in tab.line.memory.states({ tab.wants($0) }) { tab.feed.add(state) }
        flushSoon()
    }

    private func watch(over line: Line) {
        line.watch(Set(tabs.values.filter { $0.line === line }.flatMap(\.filters)))
    }

    /// Gives pages what waits for them, at once or as soon as their last batch is long enough ago.
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
            if tab.isSlow(at: now) {
                logger.notice(
                    "a page is cut that takes nothing", metadata: ["waiting": "\(tab.link.waiting)"])
                dismiss(tab, "slow", "this page takes too long to read what it watches")
            } else if tab.link.waiting < Tab.limits.pause {
                if let batch = tab.feed.batch(at: now) { tab.link.send(batch) }
            } else {
                tab.feed.wait(at: now)
            }
        }
        flushSoon()
    }
}

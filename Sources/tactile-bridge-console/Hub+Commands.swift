import BridgeContract
import Console
import DeviceKit
import EventLoop
import JSON
import MQTT
import Messages
import Reference

// Handles the commands that pages send.
extension Hub {
    func publish(_ topic: String, _ payload: String, _ id: String?, _ tab: Tab) {
        let line = tab.line
        guard Filters.isTopic(topic) else {
            return refuse(tab, id, "bad_topic", "found \(topic.prefix(64)); allowed: a topic without + and #")
        }
        guard tab.grants.mayPublish(topic) else {
            let roles = tab.session.roles.map(\.rawValue).joined(separator: " ")
            return refuse(tab, id, "not_allowed", "\(topic) is not allowed for \(roles)")
        }
        guard line.isConnected else {
            return refuse(tab, id, "no_broker", "there is no connection to the broker")
        }
        guard !isBusy(tab) else { return refuse(tab, id, "busy", Self.busy) }
        if isRoster(topic) { return write(topic, Array(payload.utf8), id, tab) }
        if let device = stopped(by: topic) {
            perform(desk.stop(device.isEmpty ? nil : device, at: EventLoop.now))
        } else if tab.grants.isHazardous(topic), let device = device(of: topic),
            let holder = desk.holder(device),
            holder.tab != tab.number
        {
            return refuse(
                tab, id, "no_stick", "\(holder.user ?? "another page") drives \(device)", device: device)
        }
        ask(topic, Array(payload.utf8), tab, id: id)
    }

    /// The reason for refusing a command or a stop while too many wait.
    static let busy = "too many commands wait for the broker: it is slow, or they are sent too fast"

    /// Returns whether too many commands of a page wait for the broker.
    func isBusy(_ tab: Tab) -> Bool { tab.line.waitingCount(of: tab.share) >= Tab.limits.commands }

    /// Publishes a command, and forwards its answers to the page.
    private func ask(
        _ topic: String, _ payload: [UInt8], _ tab: Tab, id: String?,
        patience: Duration = Questions.patience.other,
        measured: Questions.Measurement? = nil
    ) {
        let line = tab.line
        let number =
            id == nil && measured == nil
            ? nil
            : line.questions.ask(
                Questions.Question(
                    tab: tab.number, id: id, topic: topic, asked: EventLoop.now, patience: patience,
                    measured: measured))
        let message = OutgoingMessage(
            topic: topic, payload: payload, policy: .reply(correlation: number.map { Array("\($0)".utf8) }),
            responseTopic: number == nil ? nil : line.replyTopic, isUrgent: stopped(by: topic) != nil,
            share: tab.share)
        guard line.take(message) else { return refuse(tab, id, "busy", Self.busy) }
        if number != nil { lookAfterQuestions(by: EventLoop.now + patience) }
    }

    /// Returns the device that a command stops; empty for several devices, nil if the command is not a stop.
    private func stopped(by topic: String) -> String? {
        let levels = topic.split(separator: "/")
        guard levels.count >= 3, levels.last == "set", stopNames.contains(String(levels[levels.count - 2]))
        else {
            return nil
        }
        let name = device(of: topic) ?? ""
        return names.bridge(of: name) == nil ? "" : name
    }

    /// Returns the name in a command's topic, which precedes the feature and `set`.
    private func device(of topic: String) -> String? {
        guard topic.hasPrefix(prefix) else { return nil }
        let levels = topic.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        return levels.count < 3 ? nil : levels.dropLast(2).joined(separator: "/")
    }

    // MARK: Driving

    func press(_ device: String, _ hold: String, _ takesOver: Bool, _ tab: Tab) {
        guard tab.grants.mayPublish(driveTopic(device)) else {
            return refuse(
                tab, nil, "not_allowed", "only the role driver may drive: see console.roles", device: device)
        }
        guard tab.line.isConnected else {
            return refuse(tab, nil, "no_broker", "there is no connection to the broker", device: device)
        }
        let status = tab.line.memory[topic: statusTopic(device)]
        perform(
            desk.press(
                device, hold: hold, tab: tab.number, user: tab.session.user, takesOver: takesOver,
                standing: status.map { Self.blockedBy($0.payload) == "stopped" ? .stopped : .free },
                at: EventLoop.now))
        watchSoon(over: tab.line)
    }

    private func driveTopic(_ device: String) -> String { "\(prefix)\(device)/drive/set" }

    func statusTopic(_ device: String) -> String { "\(prefix)\(device)/status" }

    /// Returns the device of a topic `status`; nil for another topic.
    func deviceOfStatus(_ topic: String) -> String? {
        guard topic.hasSuffix("/status"), topic.hasPrefix(prefix) else { return nil }
        return String(topic.dropFirst(prefix.count).dropLast("/status".count))
    }

    /// Returns the reason why a robot cannot move, according to its status; nil if it can.
    static func blockedBy(_ status: [UInt8]) -> String? {
        (try? JSON.Value(parsing: status))?["blocked_by"]?.string
    }

    /// Carries out the effects that ``DriveDesk`` returns, and schedules its next call.
    func perform(_ effects: [DriveDesk.Effect]) {
        for effect in effects {
            switch effect {
            case .tick(let tab, let device, let number):
                if let tab = tabs[tab] { send(Words.tick(device, number), to: tab) }
            case .stick(let device):
                for tab in tabs.values {
                    send(Words.stick(device, holder: desk.holder(device), to: tab.number), to: tab)
                }
            case .over(let tab, let device, let hold, let reason):
                if let tab = tabs[tab] {
                    send(Words.over(device, hold: hold, reason: reason), to: tab)
                    watchSoon(over: tab.line)
                }
            case .drive(let forward): drive(forward)
            case .stop(let device, let tab):
                let line = tabs[tab]?.line ?? shared
                if let line, line.isConnected {
                    var stop = OutgoingMessage.event(
                        "\(prefix)\(device)/\(GroupFeatures.stop.name)/set", "now".utf8)
                    stop.isUrgent = true
                    line.take(stop)
                }
            case .refused(let tab, let device, let id, let code, let message):
                if let tab = tabs[tab] { refuse(tab, id, code, message, device: device) }
            }
        }
        deskTimer?.cancel()
        deskTimer = nil
        guard let due = desk.due else { return }
        deskTimer = loop.schedule(after: max(.zero, due - EventLoop.now)) {
            self.perform(self.desk.advance(to: EventLoop.now))
        }
    }

    private func drive(_ forward: DriveDesk.Forward) {
        guard let tab = tabs[forward.tab] else { return }
        let (topic, payload) = (driveTopic(forward.device), JSON.Value.object(forward.payload).bytes)
        guard forward.id != nil || forward.measured != nil else {
            // The command is sent with the policy of a stream, where only the newest value counts. A command that the
            // socket cannot take immediately would be outdated.
            return tab.line.client.publish(OutgoingMessage(topic: topic, payload: payload, policy: .stream))
        }
        ask(
            topic, payload, tab, id: forward.id, patience: Questions.patience.drive,
            measured: forward.measured.map { Questions.Measurement(device: forward.device, fromTick: $0) })
    }

    /// Reports questions that are not answered in time.
    ///
    /// - Parameter due: The time at which to check for late questions.
    private func lookAfterQuestions(by due: Duration) {
        if let questionsDue, questionsDue <= due { return }
        questionTimer?.cancel()
        questionsDue = due
        questionTimer = loop.schedule(after: max(.zero, due - EventLoop.now)) {
            self.questionsDue = nil
            for question in self.allLines.flatMap({ $0.questions.late(at: EventLoop.now) }) {
                guard let id = question.id, let tab = self.tabs[question.tab] else { continue }
                self.refuse(
                    tab, id, "no_answer", "no bridge answers, or the broker does not allow the command")
            }
            guard let next = self.allLines.compactMap(\.questions.due).min() else { return }
            self.lookAfterQuestions(by: next)
        }
    }
}

import Claims

// Commands to devices, and tasks that another bridge may resume.
extension Simulation {
    /// The maximum age of a task that another bridge resumes.
    static let intentLimit = Int.seconds(10)

    /// Sends a command to a device at random intervals.
    func use(_ device: Peripheral) {
        timeline.after(random.time(mean: .seconds(1))) {
            let kinds: [Command.Kind] = [.power, .drive, .drive, .lead]
            let command = Command(kind: kinds[Int(self.random.next() % 4)], sent: self.now)
            if self.broker.isUp {
                self.timeline.after(self.random.time(self.scenario.delay)) {
                    if self.broker.isUp { self.route(.command(device: device.index, command), from: nil) }
                }
            }
            self.use(device)
        }
    }

    func heard(_ host: Host, _ party: Party, _ command: Command) {
        defer { party.lastCommand = command }
        guard party.claim.isSpeaking, let link = party.link, let ready = link.ready else { return }
        // A command that was sent before this link was ready is meant for an earlier situation.
        guard command.sent >= ready || broken.contains(.promptCommands) else { return }
        obey(host, party, link, command)
    }

    private func obey(_ host: Host, _ party: Party, _ link: Link, _ command: Command) {
        guard !link.isDead, let ready = link.ready else { return }
        switch command.kind {
        case .power: party.powerLink = link.number
        case .drive:
            guard party.powerLink == link.number else { return }
            link.device.motion = (link.number, command.sent)
        case .lead:
            party.intent = Intent(sent: command.sent, epoch: party.claim.said?.epoch ?? 0)
            say(host, party, again: true)
            return
        }
        measures.motions += 1
        if command.sent < ready {
            report(.motion, link.device, "by \(host.id), \(command.kind) of before its link")
        }
    }

    /// Resumes the task of the previous link, if it is recent and no other link came in between.
    func takeUp(_ intent: Intent?, _ host: Host, _ party: Party, _ link: Link) {
        if broken.contains(.freshCommands), let last = party.lastCommand { obey(host, party, link, last) }
        guard let intent, let said = party.claim.said, said.epoch == intent.epoch + 1 else { return }
        guard now - intent.sent <= Self.intentLimit || broken.contains(.intentAge) else { return }
        party.intent = intent
        say(host, party, again: true)
        measures.intents += 1
        if now - intent.sent > Self.intentLimit {
            report(.intent, link.device, "by \(host.id), \((now - intent.sent).inSeconds) s old")
        }
    }
}

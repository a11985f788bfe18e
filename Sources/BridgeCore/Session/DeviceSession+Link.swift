import Bluetooth
import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import JSON
import Logging

// How the device is connected: advertisements and connection attempts.
extension DeviceSession {
    /// The stage of the search for the device and of its Bluetooth connection.
    var stage: LinkStage { connector.supervision.state }
    /// Whether the device is available: it is connected, or was visited a short time ago.
    var isReady: Bool { connector.isReady || visitedAt != nil }

    /// Applies the state of the radio. The first call passes the initial state.
    func radio(_ radio: RadioState) {
        connector.radio(radio)
        advertisementsEnded(radio)
        proceed()
    }

    /// Handles an advertisement, or the host's report that the device is connected.
    func heard(_ advertisement: Advertisement, over adapter: String?) {
        if let adapter { self.adapter = adapter }
        if let rssi = advertisement.rssi {
            noteSeen()
            choice.heard(rssi: rssi)
            // An advertisement shows that no host is connected to a device that needs a connection. A device that only
            // advertises does so all the time, and a visited device does so between two visits.
            if family.advertising != nil {
                receivers.advertised(score: receptionScore)
            } else if visiting == nil {
                noteAdvertising()
                if !advertisement.isConnected { noteSignal(rssi) }
            }
        }
        receive(advertisement)
        let name = status.advertisedName
        status.heard(advertisement, at: context.time.date)
        if !family.recognises(advertisement) {
            connector.supervision.fittingFamilies = context.families().recognizing(advertisement).map(\.name)
        }
        if status.advertisedName != name {
            rememberIdentity()
            context.changed(.named)
        }
        if canUse(advertisement), connector.heard(advertisement, at: now) { proceed() }
    }

    /// Does the next step: connects, bonds, or schedules the next check.
    func proceed() {
        deference = nil
        let lacksBond = connector.supervision.bond.isLacking
        let step = connector.decide(at: now) { holdBack(lacksBond: lacksBond) }
        reportConnection()
        if connector.isGoneByRequest { answerDisconnectWaiters() }
        switch step {
        case .wait(let moment): if let moment { startTimer(.proceed, at: moment) }
        case .listen: spawn { await $0.context.radio.replayIfConnected($0.address) }
        case .reject(let refusal): reject(refusal)
        case .bond: spawn { await $0.pair() }
        case .connect(let number):
            guard family.advertising == nil else { return useAdvertisements(number) }
            spawn { await $0.connect(number) }
        }
    }

    private func connect(_ number: Int) async {
        do throws(RadioError) {
            let link = try await context.radio.connect(address, requirements: connector.requirements) {
                [enter = context.enter] event in enter { $0.handle(event, ofLink: number) }
            }
            await use(link, number)
        } catch {
            guard life == .open else { return }
            record(.noLink("\(error)"))
            if error.code == .noSlot { context.slots.refused(on: adapter ?? "", at: now) }
            logFailure(.info, "the host could not connect to the device", error)
            connector.failed(error, at: now)
            proceed()
        }
    }

    private func use(_ link: any DeviceLink, _ number: Int) async {
        guard life == .open else { return await link.disconnect() }
        var profile = link.profile
        profile.isOverProxy = link.isOverProxy
        switch connector.judge(profile, isHazardous: motion != nil) {
        case .unwanted:
            await link.disconnect()
            connector.lost(reason: connector.supervision.heldReason, at: now)
            proceed()
        case .lost(let reason):
            connector.lost(reason: reason, at: now)
            proceed()
        case .overProxy: await refuseProxy(link)
        case .refuse(let refusal):
            connector.reached(link.profile)
            await link.disconnect()
            reject(refusal)
        case .use(let refusal):
            connector.reached(link.profile)
            connector.use(profile, over: link.adapter, number: number)
            driver = LinkDriver(link, number: number)
            tapeLink()
            begin(profile)
            if let refusal { part(refusal) }
        }
    }

    func begin(_ profile: LinkProfile) {
        counters.links += 1
        noteSeen()
        // Until now another bridge owned the device, so that bridge may have retained an emergency stop on the broker.
        if ownership.isStandby { beginRecall() }
        reportConnection()
        var profile = profile
        profile.unixMilliseconds = context.time.date.milliseconds
        profile.utcOffset = context.time.utcOffset
        profile.isTakenOver = ownership.wasElsewhere
        takeUpIntent()
        feed(.connected(profile))
    }

    func becomeReady() {
        guard connector.ready() else { return }
        best.linked(strength: choice.score(HostChoice.Load()), at: now)
        choice.reset()
        if let link { spawn { _ in await link.settle() } }
        let isKnown = noteVisit()
        logger.log(
            level: isKnown ? .debug : .info, "the device is online", source: LogSubsystem.links.rawValue)
        reportInfo()
        reportConnection()
        countHandOver()
        if !isKnown { speakAsHolder() }
        considerMove()
        answerConnectWaiters(connectAnswer)
    }

    // MARK: Failures

    /// Logs why an attempt failed. Of consecutive identical failures, only the first is logged above `debug`.
    func logFailure(_ level: Logger.Level, _ text: Logger.Message, _ reason: String) {
        logFailure(level, text, reason, isNews: connector.isNews(reason))
    }

    func logFailure(
        _ level: Logger.Level, _ text: Logger.Message, _ reason: String, isNews: Bool
    ) {
        logger.log(
            level: isNews ? level : .debug, text, metadata: ["reason": "\(reason)"],
            source: LogSubsystem.links.rawValue)
    }

    /// Logs an error of the host, and reports to the bridge if the device itself refused.
    func logFailure(_ level: Logger.Level, _ text: Logger.Message, _ error: RadioError) {
        let isNews = connector.isNews("\(error)")
        logFailure(level, text, "\(error)", isNews: isNews)
        if isNews, error.isRefusal { context.changed(.refused(error)) }
    }

    /// Rejects the device before it is used, as an input device or because its data cannot be read.
    func reject(_ refusal: DeviceFailure) {
        guard life == .open else { return }
        fail("the device is rejected and not used", refusal)
        proceed()
    }

    private func fail(_ text: Logger.Message, _ failure: DeviceFailure) {
        let isNews = connector.isNews(failure.reason)
        logFailure(.warning, text, failure.reason, isNews: isNews)
        connector.failed(failure, at: now)
        if isNews, failure.code != .poweredOff { context.changed(.failed(failure)) }
    }

    // MARK: Connection

    private func handle(_ event: LinkEvent, ofLink number: Int) {
        guard connector.isCurrent(number) else { return }
        switch event {
        case .notification(let characteristic, let value):
            guard driver != nil else { return }
            record(.notification(characteristic, value))
            counters.notifications += 1
            logValue("notification", characteristic, value)
            noteSeen()
            linkProved()
            feed(.notification(characteristic, value))
        case .rssi(let value):
            logger.debug(
                "signal strength", metadata: ["rssi": "\(value)"], source: LogSubsystem.links.rawValue)
            status.measured(rssi: value, at: context.time.date)
            noteSignal(value)
        case .services(let services):
            logger.debug("services", metadata: ["uuids": "\(services)"], source: LogSubsystem.links.rawValue)
            if let refusal = connector.found(services) { part(refusal) }
        case .lost(let reason): lost(reason)
        }
    }

    private func lost(_ reason: String) {
        guard let former = connector.unlink(reason) else { return }
        record(.lost(reason))
        let stops = driver?.takeStops() ?? []
        driver = nil
        status.measured(rssi: nil, at: context.time.date)
        endComparison()
        clock.cancel(.parting)
        clock.cancel(.proof)
        let isBetweenVisits = keepsVisits(after: former)
        if !isBetweenVisits { clock.cancel(.silence) }
        reportSeen()
        feed(.disconnected)
        if life < .finished, !isBetweenVisits { endHolding() }
        if ownership.isStandby, life == .open { forgetWishes() }
        let offline = CommandError(.deviceOffline, "the link was lost: \(reason)")
        if !isBetweenVisits { failPending(offline) }
        answer(stops, .failed(offline))
        guard life == .open else { return finishClosing() }
        if let failure = former.failure {
            fail("the device was disconnected after a failure", failure)
        } else if let successor = former.successor {
            connector.yielded(to: successor.bridge, at: now)
            awaitSuccessor()
        } else {
            logger.log(
                level: isBetweenVisits ? .debug : .info,
                "link lost", metadata: ["reason": "\(reason)", "was_ready": "\(former.isReady)"],
                source: LogSubsystem.links.rawValue)
            connector.lost(reason: reason, at: now)
        }
        proceed()
        if former.isReady { visitForCommand() }
        if ownership.isNameShared { reconsiderOwnership() }
    }

    /// Disconnects, or leaves a shared Bluetooth connection open for the other bridge.
    func closeLink(reason: String) {
        guard let driver else {
            guard let number = connector.linked?.number else { return }
            return spawn { $0.handle(.lost(reason: reason), ofLink: number) }
        }
        record(.close(reason))
        settleWill(isTimeUp: false)
        let (link, number) = (driver.link, driver.number)
        let isLeft = connector.linked?.successor?.sharesLink ?? false
        spawn { session in
            if isLeft { await link.leave() } else { await link.disconnect() }
            session.handle(.lost(reason: reason), ofLink: number)
        }
    }
}

import Bluetooth
import DeviceKit
import Logging

extension DeviceSession {
    // MARK: What the bridge tells

    /// Whether devices can be connected, why not, and whether that is because another program has the adapters.
    typealias RadioState = (isReady: Bool, reason: String?, isHeld: Bool)

    /// Takes how the radio is, from the start of the session on.
    func radio(_ radio: RadioState) {
        supervision.radio(isReady: radio.isReady, reason: radio.reason, isHeld: radio.isHeld)
        proceed()
    }

    /// The device joins by a person's wish: it is bonded, if its family ever wants that.
    func join() {
        if family.requirements.bonding != .none { supervision.wishBond() }
    }

    /// The device was heard on the air, or the host says that it is connected.
    func heard(_ advertisement: Advertisement) {
        inputs.heard(advertisement)
        if advertisement.rssi != nil { noteSeen() }
        rssi = advertisement.rssi ?? rssi
        hostName = advertisement.name ?? hostName
        guard link == nil, advertisement.rssi != nil || advertisement.isConnected else { return }
        supervision.heard(isPaired: advertisement.isPaired)
        hastenRemoval()
        proceed()
    }

    // MARK: Connecting

    /// Does what is due: connects, bonds, or sees to it that the session looks again in time.
    func proceed() {
        let decision = supervision.decide(at: now)
        reportConnection()
        settleDisconnectWaiters()
        switch decision {
        case .wait(let moment):
            if let moment { startTimer(.proceed, at: moment) }
        case .connect, .pair:
            guard !avoidsInputDevice() else { return }
            // One that is not wanted is not bonded with, but connected to be let go.
            guard decision == .connect || inputs.refusal(inputs.services) != nil else {
                return spawn { await $0.pair() }
            }
            linkNumber += 1
            let number = linkNumber
            spawn { await $0.connect(number) }
        }
    }

    private func connect(_ number: Int) async {
        (earlyLoss, lateServices) = (nil, [])
        do throws(RadioError) {
            let link = try await world.radio.connect(address, requirements: requirements) {
                [enter = world.enter] event in enter { $0.handle(event, ofLink: number) }
            }
            await use(link)
        } catch {
            guard life == .open else { return }
            logFailure(.info, "could not connect", "\(error)")
            supervision.failed(error, at: now)
            proceed()
        }
    }

    private func use(_ link: any DeviceLink) async {
        guard life == .open else { return await link.disconnect() }
        if supervision.isUserDisconnected {
            await link.disconnect()
            supervision.lost(reason: Supervision.heldReason, at: now)
            return proceed()
        }
        if let earlyLoss {
            supervision.lost(reason: earlyLoss, at: now)
            return proceed()
        }
        if link.profile.isPaired { inputs.bonded() }
        inputs.wasReached = true
        let refusal = inputs.refusal(link.profile.services.union(lateServices))
        if let refusal, gate == nil {
            // Nothing that could move needs a last word: the less time it has to type.
            await link.disconnect()
            return turnAway(refusal)
        }
        linked = Linked(link)
        counters.links += 1
        noteSeen()
        supervision.linked()
        // Another bridge may have left an emergency stop at the broker since.
        if !ownership.isOurs, !ownership.isUnknown { beginRecall() }
        reportConnection()
        var profile = link.profile
        profile.time = world.time.date
        feed(.connected(profile))
        if let refusal { letGo(refusal) }
    }

    /// Logs why it does not work: of attempts that fail alike, only the first.
    func logFailure(_ level: Logger.Level, _ text: Logger.Message, _ reason: String) {
        let isNew = reason != loggedFailure
        loggedFailure = reason
        logger.log(level: isNew ? level : .debug, text, metadata: ["reason": "\(reason)"])
    }

    private func pair() async {
        do throws(RadioError) {
            try await world.radio.pair(address, requirements: requirements)
            logger.info("bonded")
            inputs.bonded()
            supervision.paired()
        } catch let error where error.code == .inputDevice {
            inputs.bonded()
            return turnAway(DeviceFailure(.inputDevice, error.message, advice: InputGuard.advice))
        } catch {
            logFailure(.warning, "could not bond", "\(error)")
            let isOfTheWay = [.unavailable, .unknownDevice, .unreachable, .busy].contains(error.code)
            supervision.failed(isOfTheWay ? error : RadioError(.pairingFailed, error.message), at: now)
        }
        guard life == .open else { return }
        proceed()
    }

    // MARK: The link

    private func handle(_ event: LinkEvent, ofLink number: Int) {
        guard number == linkNumber else { return }
        switch event {
        case .notification(let characteristic, let value):
            guard link != nil else { return }
            counters.notifications += 1
            noteSeen()
            linkProved()
            feed(.notification(characteristic, value))
        case .rssi(let value): rssi = value
        case .services(let services): found(services)
        case .lost(let reason): lost(reason)
        }
    }

    private func lost(_ reason: String) {
        guard let former = linked else {
            earlyLoss = reason
            return
        }
        (linked, rssi) = (nil, nil)
        timers.cancel(.parting)
        linkNumber += 1
        endProof()
        reportSeen()
        feed(.disconnected)
        if ownership.isSilent, life == .open { forgetWishes() }
        failPending(.deviceOffline, "the link was lost: \(reason)")
        answerStopWaiters(.failed(.deviceOffline, "the link was lost: \(reason)"))
        guard life == .open else { return finishClosing() }
        if let failure = former.failure {
            logFailure(.warning, "given up on the link", failure.reason)
            supervision.failed(failure, at: now)
            if failure.code != .poweredOff { world.changed(.failed(failure)) }
        } else if let successor = former.successor {
            supervision.yielded(to: successor, at: now)
        } else {
            logger.info("link lost", metadata: ["reason": "\(reason)", "was_ready": "\(former.isReady)"])
            supervision.lost(reason: reason, at: now)
        }
        proceed()
        if ownership.isNameShared { reconsiderOwnership() }
    }

    /// Closes the link because the device's state machine wants it.
    func disconnect(_ failure: DeviceFailure?) {
        guard let link else { return }
        if let failure { linked?.failure = failure }
        guard !wantsDisconnect else { return }
        linked?.wantsDisconnect = true
        // The end of a session, and a disconnect by request, close the link when the last writes are out.
        guard life == .open, !isParting else { return }
        closeLink(link, reason: "closed by the bridge")
    }

    func closeLink(_ link: any DeviceLink, reason: String) {
        settleWill(isTimeUp: false)
        let number = linkNumber
        let isLeft = linked?.staysForSuccessor ?? false
        spawn { session in
            if isLeft { await link.leave() } else { await link.disconnect() }
            session.handle(.lost(reason: reason), ofLink: number)
        }
    }
}

import Bluetooth
import DeviceKit
import Logging

extension DeviceSession {
    // MARK: What the bridge tells

    func start(radioIsReady: Bool, reason: String?) {
        supervision.radio(isReady: radioIsReady, reason: reason)
        proceed()
    }

    func radio(isReady: Bool, reason: String?) {
        supervision.radio(isReady: isReady, reason: reason)
        proceed()
    }

    /// The device was heard on the air, or the host says that it is connected.
    func heard(_ advertisement: Advertisement) {
        rssi = advertisement.rssi ?? rssi
        hostName = advertisement.name ?? hostName
        guard link == nil, advertisement.rssi != nil || advertisement.isConnected else { return }
        supervision.heard()
        proceed()
    }

    // MARK: Connecting

    /// Does what is due: connects, bonds, or sees to it that the session looks again in time.
    func proceed() {
        let decision = supervision.decide(at: now)
        reportConnection()
        switch decision {
        case .wait(let moment):
            if let moment { startTimer(.proceed, at: moment) }
        case .connect:
            linkNumber += 1
            let number = linkNumber
            spawn { [weak self] in await self?.connect(number) }
        case .pair:
            spawn { [weak self] in await self?.pair() }
        }
    }

    private func connect(_ number: Int) async {
        earlyLoss = nil
        do throws(RadioError) {
            let link = try await world.radio.connect(address, requirements: family.requirements) {
                [weak self] event in
                self?.assumeIsolated { $0.handle(event, ofLink: number) }
            }
            await use(link)
        } catch {
            guard !isClosing else { return }
            logger.info("could not connect", metadata: ["reason": "\(error)"])
            supervision.failed(error, at: now)
            proceed()
        }
    }

    private func use(_ link: any DeviceLink) async {
        guard !isClosing else { return await link.disconnect() }
        if let earlyLoss {
            supervision.lost(reason: earlyLoss, at: now)
            return proceed()
        }
        self.link = link
        wantsDisconnect = false
        adapter = link.adapter
        failure = nil
        supervision.linked()
        reportConnection()
        feed(.connected(link.profile))
    }

    private func pair() async {
        do throws(RadioError) {
            try await world.radio.pair(address)
            logger.info("bonded")
            supervision.paired()
        } catch {
            logger.warning("could not bond", metadata: ["reason": "\(error)"])
            supervision.failed(
                error.code == .unreachable ? error : RadioError(.pairingFailed, error.message), at: now)
        }
        guard !isClosing else { return }
        proceed()
    }

    // MARK: The link

    private func handle(_ event: LinkEvent, ofLink number: Int) {
        guard number == linkNumber else { return }
        switch event {
        case .notification(let characteristic, let value):
            guard link != nil else { return }
            feed(.notification(characteristic, value))
        case .rssi(let value): rssi = value
        case .lost(let reason): lost(reason)
        }
    }

    private func lost(_ reason: String) {
        guard link != nil else {
            earlyLoss = reason
            return
        }
        link = nil
        linkNumber += 1
        operations = OperationQueue()
        feed(.disconnected)
        failPending(.deviceOffline, "the link was lost: \(reason)")
        let wasReady = isReady
        isReady = false
        rssi = nil
        guard !isClosing else { return finishClosing() }
        if let failure {
            logger.warning("given up on the link", metadata: ["reason": "\(failure.reason)"])
            supervision.failed(failure, at: now)
            world.changed(.failed(reason: failure.reason))
        } else {
            logger.info("link lost", metadata: ["reason": "\(reason)", "was_ready": "\(wasReady)"])
            supervision.lost(reason: reason, at: now)
        }
        failure = nil
        proceed()
    }

    // MARK: Operations

    func add(_ operation: OperationQueue.Operation) {
        for dropped in operations.add(operation) {
            complete(dropped, OperationError(.failed, "dropped: a stop came first, or too much waited"))
        }
    }

    /// Starts the operations that may start now.
    func startOperations() {
        guard let link else { return }
        let number = linkNumber
        for operation in operations.start() {
            spawn { [weak self] in
                let result = await link.perform(operation)
                await self?.finished(operation, result, ofLink: number)
            }
        }
        if isClosing, operations.isEmpty, wantsDisconnect { finishClosing() }
    }

    private func finished(
        _ operation: OperationQueue.Operation, _ result: Result<[UInt8], OperationError>, ofLink number: Int
    ) {
        guard number == linkNumber, link != nil else { return }
        operations.finished(operation)
        switch operation {
        case .write(let write):
            feed(.writeCompleted(write.token, write.characteristic, result.map { _ in }))
        case .read(let id): feed(.readCompleted(id, result))
        case .subscribe(let id): feed(.subscribed(id, result.map { _ in }))
        case .unsubscribe: startOperations()
        }
    }

    private func complete(_ operation: OperationQueue.Operation, _ error: OperationError) {
        switch operation {
        case .write(let write): feed(.writeCompleted(write.token, write.characteristic, .failure(error)))
        case .read(let id): feed(.readCompleted(id, .failure(error)))
        case .subscribe(let id): feed(.subscribed(id, .failure(error)))
        case .unsubscribe: break
        }
    }

    /// Closes the link because the device's state machine wants it.
    func disconnect(_ failure: DeviceFailure?) {
        self.failure = failure ?? self.failure
        wantsDisconnect = true
        guard !isClosing, let link else { return }
        spawn { await link.disconnect() }
    }
}

extension DeviceLink {
    /// Carries out one operation; a read gives its value, the others nothing.
    fileprivate func perform(
        _ operation: OperationQueue.Operation
    ) async -> Result<[UInt8], OperationError> {
        do throws(OperationError) {
            switch operation {
            case .write(let write):
                try await self.write(write.value, to: write.characteristic, write.kind)
            case .read(let id): return .success(try await read(id))
            case .subscribe(let id): try await subscribe(id)
            case .unsubscribe(let id): try await unsubscribe(id)
            }
            return .success([])
        } catch {
            return .failure(error)
        }
    }
}

import Bluetooth
import DeviceKit
import VirtualDevices

// The connection between a state machine and its virtual device.
extension VirtualCouple {
    typealias Step = (inout VirtualCouple) -> Void

    /// The next step and its time. Of several steps at the same time, the step that is offered first here wins.
    var next: (time: Duration, step: Step)? {
        var best: (time: Duration, step: Step)?
        func offer(_ time: Duration?, _ step: @escaping Step) {
            guard let time = time.map({ max($0, now) }), best.map({ time < $0.time }) ?? true else { return }
            best = (time, step)
        }
        if !isFrozen {
            if let start = session.latchings.first?.start {
                offer(diskTime.map { start + $0 }) { $0.keepLatch() }
            }
            for flight in flights where !isStuck {
                switch flight.stage {
                case .leaving(let arrival): offer(arrival) { $0.arrive(flight) }
                case .arrived: break
                case .returning(let completion, let result):
                    offer(completion) { $0.complete(flight.number, result) }
                }
            }
            // Operations that started before are sent before the connection is closed.
            if session.mayClose, isStuck || !flights.contains(where: \.isLeaving) {
                offer(now) { $0.drop() }
            }
            offer(session.nextTimer) { $0.session.advance(to: $0.now) }
        }
        offer(world.nextDeadline) { $0.carryOut($0.world.advance(to: $0.now)) }
        return best
    }

    /// Sends the operations that the session has started.
    mutating func takeStarted() {
        for started in session.underWay where started.number > lastStarted {
            lastStarted = started.number
            lastArrival = max(lastArrival, now + transit)
            flights.append(
                Flight(
                    number: started.number, operation: started.operation,
                    stage: .leaving(arrival: lastArrival)))
        }
    }

    private mutating func keepLatch() {
        guard let latching = session.latchings.first else { return }
        if diskFailure == nil { latch = latching.isSet ? .latched : .clear }
        session.keepLatch(failure: diskFailure)
    }

    private mutating func arrive(_ flight: Flight) {
        setStage(of: flight.number, .arrived)
        if let failure { return answer(flight.number, .failure(failure)) }
        switch flight.operation {
        case .write(let write):
            arrivals.append(Arrival(time: now, write: write))
            let hasResponse = write.kind == .withResponse
            // For a write without response, the host only confirms that it was sent.
            if !hasResponse { answer(flight.number, .success([])) }
            stimulate(
                .write(write.characteristic, write.value, withResponse: hasResponse), request: flight.number)
        case .read(let id): stimulate(.read(id), request: flight.number)
        case .subscribe(let id):
            guard mayAccess(id) else {
                return answer(flight.number, .failure(OperationError(.notPermitted, "it wants a bond")))
            }
            answer(flight.number, .success([]))
            stimulate(.subscribed(id, true))
        case .unsubscribe(let id):
            answer(flight.number, .success([]))
            stimulate(.subscribed(id, false))
        }
    }

    private func mayAccess(_ id: CharacteristicID) -> Bool {
        guard !isEncrypted, let services = world.peripheral(name)?.services else { return true }
        return !services.contains { $0.characteristics.contains { $0.id == id && $0.needsEncryption } }
    }

    /// Starts the way back of an answer from the device or the host.
    private mutating func answer(_ number: Int, _ result: Result<[UInt8], OperationError>) {
        guard let flight = flights.first(where: { $0.number == number }), case .arrived = flight.stage else {
            return
        }
        setStage(of: number, .returning(completion: now + max(latency - transit, .zero), result))
    }

    private mutating func setStage(of number: Int, _ stage: Flight.Stage) {
        guard let index = flights.firstIndex(where: { $0.number == number }) else { return }
        flights[index].stage = stage
    }

    private mutating func complete(_ number: Int, _ result: Result<[UInt8], OperationError>) {
        flights.removeAll { $0.number == number }
        session.finish(number, result)
    }

    /// Passes a stimulus to the device.
    mutating func stimulate(_ stimulus: Stimulus, request: Int = 0) {
        carryOut(world.handle(stimulus, of: name, request: request, at: now))
    }

    /// Carries out the outputs of the device.
    mutating func carryOut(_ outputs: [WorldOutput]) {
        for output in outputs {
            switch output {
            case .answer(let number, .value(let bytes)): answer(number, .success(bytes))
            case .answer(let number, .written): answer(number, .success([]))
            case .answer(let number, .refused(let code)): answer(number, .failure(Self.error(code)))
            case .notify(_, let id, let bytes):
                if session.isLinked, !isFrozen { session.feed(.notification(id, bytes)) }
            case .disconnect, .drop: drop()
            case .report(let report):
                if case .device(let told) = report.event { self.told.append((now, told)) }
            case .advertise, .mute, .move: break
            }
        }
    }

    /// Returns the bridge's error for an ATT error code. Devices that require a bond report this in several ways.
    private static func error(_ code: UInt8) -> OperationError {
        switch code {
        case 0x02, 0x03, 0x05, 0x08, 0x0C, 0x0F: OperationError(.notPermitted, "\(code)")
        case 0x06: OperationError(.notSupported, "\(code)")
        case 0x0D: OperationError(.invalidLength, "\(code)")
        default: OperationError(.failed, "\(code)")
        }
    }
}

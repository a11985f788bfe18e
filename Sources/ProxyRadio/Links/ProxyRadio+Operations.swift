import Bluetooth
import BridgeContract
import DeviceKit
import EventLoop
import Logging
import ProxyClient

extension ProxyRadio {
    private static let endedLink = "the link has ended"
    private static let lateAnswer = "the acknowledgment of an earlier write is late"

    /// Carries out an operation on a link; see ``DeviceLink/perform(_:while:then:)``.
    func perform(
        _ operation: LinkOperation, of address: Address, link number: Int,
        while isWanted: @escaping @Sendable () -> Bool,
        then completion: @escaping @Sendable (Result<[UInt8], OperationError>) -> Void
    ) {
        guard let state = links[address], state.number == number, state.phase == .open else {
            return completion(.failure(OperationError(.disconnected, Self.endedLink)))
        }
        do throws(OperationError) {
            let (request, handle) = try state.profile.request(operation)
            enqueue(
                LinkRequest(
                    operation: request, handle: handle, priority: operation.priority, isWanted: isWanted,
                    completion: completion),
                on: state)
        } catch {
            completion(.failure(error))
        }
    }

    func enqueue(_ request: LinkRequest, on state: ProxyLinkState) {
        guard !connector.isStalled(state.address) else { return request.fail(.timeout, Self.lateAnswer) }
        let isStop = request.priority == .stop
        for dropped in state.queue.add(request) {
            dropped.fail(.failed, isStop ? "dropped because of a stop" : "too many operations wait")
        }
        startNext(state)
    }

    private func startNext(_ state: ProxyLinkState) {
        while state.phase == .open, state.current == nil, let request = state.queue.next() {
            guard request.isWanted() else {
                request.fail(.failed, "the operation is no longer needed")
                continue
            }
            let number = makeNumber()
            state.current = number
            requests[number] = (state, request)
            run {
                $0.perform(request.operation, on: request.handle, of: state.address, number: number, at: $1)
            }
        }
    }

    /// Handles the result of an operation.
    func completed(_ number: Int, _ result: Result<[UInt8], ProxySession.OperationFailure>) {
        guard let (state, request) = requests.removeValue(forKey: number) else { return }
        state.current = nil
        request.completion(result.mapError { OperationError($0) })
        startNext(state)
    }

    /// Drops the operations that wait for a late acknowledgment: they would be carried out too late.
    func dropStalled() {
        for state in links.values where connector.isStalled(state.address) {
            for request in state.queue.removeAll() { request.fail(.timeout, Self.lateAnswer) }
        }
    }

    func notified(_ address: Address, _ handle: UInt16, _ value: [UInt8]) {
        guard let state = links[address], let id = state.profile.id(of: handle) else { return }
        state.handler(.notification(id, value))
    }

    // MARK: End

    func disconnected(_ address: Address, _ failure: ProxySession.LinkFailure) {
        guard let state = links[address] else { return }
        end(state, RadioError(failure), reason: failure.words(wasAsked: state.isClosing))
    }

    /// Ends a link or an attempt: its waiting operations end first, and its handler is called last.
    func end(_ state: ProxyLinkState, _ failure: RadioError, reason: String) {
        guard state.phase != .ended else { return }
        (state.phase, state.failure) = (.ended, failure)
        links[state.address] = nil
        // The device can be connected again as soon as it advertises.
        reportAgain(state.address)
        for request in state.queue.removeAll() { request.fail(.disconnected, Self.endedLink) }
        logger.debug(
            "the link or the attempt ended", metadata: ["device": "\(state.address)", "reason": "\(reason)"])
        if state.isDelivered { state.handler(.lost(reason: reason)) }
    }

    func disconnect(_ address: Address, link number: Int) async {
        if let state = links[address], state.number == number { await close(state) }
    }

    /// Requests the end of a link or an attempt, and waits for it, but no longer than the session waits.
    func close(_ state: ProxyLinkState) async {
        let address = state.address
        state.isClosing = true
        run { $0.disconnect(address, at: $1) }
        // A canceled task waits too, so that the connection has ended before the next attempt.
        _ = await waiters.wait(isCancellable: false) { !self.connector.holds(address) }
    }
}

import EventLoop
import Logging

// Monitors the guardian process.
extension ProcessGuardian {
    /// Pings the process while there are wills.
    func watchOver() {
        guard process != nil, !isEnding, !entries.isEmpty else {
            heartbeat = nil
            heartbeatTimer?.cancel()
            return
        }
        guard heartbeat == nil else { return }
        heartbeat = GuardianHeartbeat(at: EventLoop.now, lastNumber: lastPing)
        armHeartbeat()
    }

    /// Sends a ping whose answer proves that the guardian process has received the first wills of devices.
    func askForProof() {
        heartbeat?.ask(at: EventLoop.now)
        armHeartbeat()
    }

    func armHeartbeat() {
        heartbeatTimer?.cancel()
        guard let next = heartbeat?.nextCheck else { return }
        heartbeatTimer = loop.schedule(after: next - EventLoop.now) { [weak self] in
            self?.assumeIsolated { $0.checkHeartbeat() }
        }
    }

    private func checkHeartbeat() {
        // If the bridge itself was delayed, an unread answer may be in the socket.
        guard let process, receive(from: process), heartbeat != nil else { return }
        switch heartbeat?.check(at: EventLoop.now) {
        case .ping(let number):
            lastPing = number
            dueMessage = .ping(number)
            send()
        case .replace:
            // SIGKILL also ends a stopped process. The process is killed before the socket is closed, because a running
            // guardian would take a closed socket for the bridge's death.
            process.kill()
            return processIsGone(
                process, "the guardian does not answer: it is killed, and a new one is started")
        case .wait, nil: break
        }
        armHeartbeat()
    }
}

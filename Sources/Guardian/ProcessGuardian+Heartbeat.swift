import EventLoop
import Logging

// Whether the process is there.
extension ProcessGuardian {
    /// Pings the process while there is a will to be lost.
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

    /// Has the process answer that it has the wills that it was told of for the first time.
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
        // An answer may lie in the line unread: then it was the bridge that stood still.
        guard let process, receive(from: process), heartbeat != nil else { return }
        switch heartbeat?.check(at: EventLoop.now) {
        case .ping(let number):
            lastPing = number
            dueMessage = .ping(number)
            send()
        case .replace:
            // Not by a signal that it could sleep through; and before the line is closed, which would mean to it that
            // the bridge is dead.
            process.kill()
            return processIsGone(
                process, "the guardian does not answer: it is killed, and another is started")
        case .wait, nil: break
        }
        armHeartbeat()
    }
}

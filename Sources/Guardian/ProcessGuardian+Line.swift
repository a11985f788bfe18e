import BridgeContract
import DeviceKit
import EventLoop
import Glibc
import Logging

// The socket to the guardian process.
extension ProcessGuardian {
    func send() {
        guard let process else { return }
        while true {
            if outgoing.isEmpty, !untold.isEmpty {
                let device = untold.removeFirst()
                let message = entries[device].map(\.message) ?? .release(device: device)
                outgoing = message.line[...]
            } else if outgoing.isEmpty, !untoldClaims.isEmpty {
                outgoing = claimMessage(of: untoldClaims.removeFirst()).line[...]
            } else if outgoing.isEmpty, let message = dueMessage {
                // A ping is sent after all other messages, so that its answer proves that all of them were read.
                dueMessage = nil
                if case .ping(let number) = message { proof.pinged(number) }
                outgoing = message.line[...]
            }
            guard !outgoing.isEmpty else { break }
            let count = outgoing.withUnsafeBytes {
                Glibc.send(process.line, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if count > 0 {
                outgoing = outgoing.dropFirst(count)
            } else if errno != EINTR {
                // Either the socket's buffer is full, and the watch reports when it has space again. Or the socket is
                // broken, and the watch reports the end of the process.
                break
            }
        }
        watch?.interest = outgoing.isEmpty ? .readable : [.readable, .writable]
    }

    func lineIsReady(_ readiness: Readiness) {
        guard let process else { return }
        guard receive(from: process) else {
            return processIsGone(process, "the guardian has exited; a new one is started")
        }
        if readiness.contains(.writable) { send() }
    }

    /// Reads the messages of the process; returns false if it has ended.
    func receive(from process: ChildProcess) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(process.line, &bytes, bytes.count)
            if count > 0 {
                for line in incoming.append(bytes[..<count]) { take(line) }
            } else if count == 0 || errno != EINTR {
                return count < 0 && errno == EAGAIN
            }
        }
    }

    private func take(_ line: String) {
        switch GuardianReply(line) {
        case .ready:
            isReady = true
            wakeWaiters()
        case .onBus:
            processIsAble()
            if proof.needsPing { askForProof() }
        case .noBus(let number):
            heartbeat?.answered(number, at: EventLoop.now)
            armHeartbeat()
            processIsUnable()
        case .pong(let number):
            processIsAble()
            heartbeat?.answered(number, at: EventLoop.now)
            armHeartbeat()
            for device in proof.answered(number) { handler?(.guards(device: device)) }
        case .confirmed(let device): handler?(.ended(device: device, .confirmed))
        case .unconfirmed(let device): handler?(.ended(device: device, .unconfirmed))
        case .finished(let device):
            if case .carryOut = entries[device] { entries[device] = nil }
            watchOver()
            wakeWaiters()
        case .queued(let name):
            logger.debug("the guardian is in the queue for an adapter", metadata: ["name": "\(name)"])
            if claims[name] != nil { queued.insert(name) }
            wakeWaiters()
        case .left(let name):
            queued.remove(name)
            left.insert(name)
            wakeWaiters()
        case nil:
            logger.error(
                "an invalid line from the guardian is ignored", metadata: ["line": "\(line.prefix(80))"])
        }
    }
}

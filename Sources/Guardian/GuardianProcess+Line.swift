import BridgeContract
import DBus
import EventLoop
import Glibc
import Logging

// The socket to the bridge, and the messages over it.
extension GuardianProcess {
    /// Reads all messages of the bridge.
    ///
    /// Also called before the guardian acts in place of the bridge. A guardian that was stopped or got no CPU time may
    /// wake because of a deadline that the bridge has moved since.
    func read() {
        guard watch != nil else { return }
        var bytes = [UInt8](repeating: 0, count: 4096)
        var interrupted: [String]?
        while watch != nil {
            let count = Glibc.read(Self.lineDescriptor, &bytes, bytes.count)
            if count > 0 {
                if interrupted == nil { interrupted = book.bridgeSpoke(at: EventLoop.now) }
                for line in buffer.append(bytes[..<count]) { take(line) }
            } else if count < 0, errno == EINTR {
                continue
            } else if count < 0, errno == EAGAIN {
                break
            } else {
                // The socket is closed or broken. Without a preceding `goodbye` this means that the bridge is dead.
                leaveLine()
                carryOutAll()
            }
        }
        for device in interrupted ?? [] where failing.remove(device) != nil && book.isOpen(device: device) {
            reply(.unconfirmed(device: device))
        }
        writeFile()
        arm()
        endIfDone()
    }

    private func take(_ line: String) {
        switch GuardianMessage(line) {
        case .keep(let will): if book.keep(will) { isFileStale = true }
        case .carryOut(let will): handOver(will)
        case .release(let device): if book.release(device: device) { isFileStale = true }
        case .claim(let name, let sign): claim(name, sign: sign)
        case .unclaim(let name): unclaim(name)
        case .ping(let number): answer(number)
        case .goodbye:
            book.releaseAll()
            isFileStale = true
            leaveLine()
        case nil:
            logger.error(
                "an invalid line from the bridge is ignored", metadata: ["line": "\(line.prefix(80))"])
        }
    }

    /// Answers a ping: with `pong` only if the bus answers too, because without the bus the guardian can write nothing.
    private func answer(_ number: UInt64) {
        guard let connection else { return reply(.noBus(number)) }
        spawn { guardian in
            let answer: Void? = try? await connection.checkBus(timeout: Self.busAnswerTime)
            guardian.reply(answer == nil ? .noBus(number) : .pong(number))
        }
    }

    private func leaveLine() {
        watch?.cancel()
        watch = nil
        alarm?.cancel()
    }

    /// Sends a message to the bridge; unread messages are queued.
    func reply(_ reply: GuardianReply) {
        outgoing += reply.line
        send()
    }

    func send() {
        guard let watch else { return }
        while !outgoing.isEmpty {
            let count = outgoing.withUnsafeBytes {
                Glibc.send(Self.lineDescriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if count > 0 {
                outgoing.removeFirst(count)
            } else if errno != EINTR {
                // Either the socket's buffer is full, and the watch reports when it has space again. Or the socket is
                // broken, and the next read reports that.
                break
            }
        }
        watch.interest = outgoing.isEmpty ? .readable : [.readable, .writable]
    }

    /// Writes the file of wills. If this process dies too, another process carries out the wills in the file.
    func writeFile() {
        guard isFileStale, let file = options.file else { return }
        isFileStale = false
        do {
            try file.write(WillFile.Content(bus: options.bus, wills: book.all))
        } catch {
            logger.error(
                "the wills cannot be stored: if the guardian exits too, devices are not made safe",
                metadata: ["reason": "\(error)"])
        }
    }
}

import BridgeContract
import EventLoop
package import HostServices
import Logging

// Unfinished work of an earlier bridge, which is completed before this bridge connects to devices.
extension ProcessGuardian {
    /// The maximum time to wait until an earlier bridge's guardian exits.
    static let predecessorTime = Duration.seconds(15)
    /// The part of ``predecessorTime`` after which a log message reports the wait.
    private static let quietTime = Duration.milliseconds(500)
    /// The time limit for taking the lock after it has become free.
    private static let lockTime = Duration.seconds(2)
    /// The time limit for carrying out the wills in the file. The sum of all limits is less than the unit's
    /// `TimeoutStartSec`.
    private static let leftoverTime = Duration.seconds(10)
    /// The maximum duration of ``takeOver()``.
    static let longestTakeOver = predecessorTime + lockTime + leftoverTime

    /// Waits until no guardian of an earlier bridge is working and the earlier bridge's unfinished work is done, or
    /// until a time limit. The bridge must not drive a robot before this method returns.
    ///
    /// - Throws: `CommandFailure` if a bridge that uses the same folder is still running.
    package func takeOver() async throws(CommandFailure) {
        guard let lock = options.lock else {
            return logger.warning(
                "no runtime directory, so no lock: the bridge does not wait for an earlier guardian")
        }
        if await !isReady(within: Self.quietTime) {
            let holder = await besideLoop { lock.holder }
            if let holder {
                logger.notice(
                    "the guardian of an earlier bridge is still running: devices are connected after it exits",
                    metadata: ["pid": "\(holder.guardian.pid)"])
            }
            // If no guardian can be started and no process holds the lock, there is nothing to wait for.
            let isOver = await wait(Self.predecessorTime - Self.quietTime) { guardian in
                guardian.isReady || holder == nil && guardian.process == nil
            }
            if !isOver { try await end(lock) }
        }
        await finishLeftovers()
    }

    private func end(_ lock: GuardianLock) async throws(CommandFailure) {
        guard let holder = await besideLoop({ lock.holder }) else {
            return logger.error("the guardian does not take its lock; the bridge continues without the lock")
        }
        if let bridge = holder.bridge, bridge.isAlive {
            throw CommandFailure(
                .unavailable,
                "another bridge, process \(bridge.pid), uses the folder \(options.folder): stop it, or set another "
                    + "bridge.state_directory for this bridge")
        }
        logger.error(
            "the guardian of an earlier bridge does not exit: it is killed",
            metadata: ["pid": "\(holder.guardian.pid)"])
        holder.guardian.kill()
        if await !isReady(within: Self.lockTime) {
            logger.error(
                "the lock of the killed guardian is not released; the bridge continues without the lock")
        }
    }

    /// Carries out the wills that an earlier process left unfinished, before a new link is made.
    private func finishLeftovers() async {
        guard let file = options.file else { return }
        let read: Result<WillFile.Content?, FileAccess.Failure> = await besideLoop {
            Result { () throws(FileAccess.Failure) in try file.read() }
        }
        guard case .success(let found) = read else {
            if case .failure(let error) = read {
                logger.error(
                    "an earlier bridge's wills cannot be read: its devices may not be safe",
                    metadata: ["reason": "\(error)"])
            }
            return
        }
        guard let content = found else { return }
        if content.unreadable > 0 {
            logger.error(
                "invalid lines in an earlier bridge's wills are ignored",
                metadata: ["file": "\(file.path)", "lines": "\(content.unreadable)"])
        }
        guard !content.wills.isEmpty, content.bus == options.bus else {
            return await besideLoop { file.remove() }
        }
        logger.warning(
            "an earlier bridge left connections or devices that may not be safe: the guardian handles them first",
            metadata: ["devices": "\(content.wills.count)"])
        for will in content.wills { enter(.carryOut(will), for: will.device) }
        guard await isDone(within: Self.leftoverTime) else {
            return logger.error("devices of an earlier bridge could not be made safe: keep away from them")
        }
    }

    /// Runs work on files on a separate thread, because a disk may take seconds.
    private func besideLoop<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            do throws(EventLoopError) {
                try loop.offload(work) { continuation.resume(returning: $0) }
            } catch {
                continuation.resume(returning: work())
            }
        }
    }
}

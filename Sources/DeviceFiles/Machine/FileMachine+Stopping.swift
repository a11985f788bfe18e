import Bluetooth
import DeviceKit
import JSON

/// A stop of the device whose writes are in progress.
struct StopBatch: Sendable {
    /// The number of unfinished writes.
    var count = 0
    /// The commands that requested the stop.
    var commands: [CommandID] = []
    var error: OperationError?
}

// Stops the device, and ends a connection.
extension FileMachine {
    /// The delay after which a stop that could not be written is written again.
    private static let stopRetry = Duration.milliseconds(100)
    /// The time limit for the last writes. It is shorter than the 1.5 s for which the session waits.
    private static let closeTime = Duration.milliseconds(1300)

    mutating func stop(_ cause: StopCause, _ effects: inout Effects) {
        guard phase == .online else { return }
        switch cause {
        case .allStop, .shutdown, .suspend: break
        // A haptic pattern, and a command with a lease, must end if their sender can no longer stop them, so they are
        // stopped here. Other commands continue, unless the device is hazardous.
        case .brokerLost: guard file.isHazardous || haptic != nil || !leases.isEmpty else { return }
        case .late, .reload, .pathLost, .pathGone: guard file.isHazardous else { return }
        }
        guard !file.stop.isEmpty else { return }
        writeStop(for: nil, &effects)
    }

    mutating func stopCommanded(_ id: CommandID, _ effects: inout Effects) { writeStop(for: id, &effects) }

    /// Writes the stop ahead of all other writes, and discards all commands that are queued or in progress.
    mutating func writeStop(for command: CommandID?, _ effects: inout Effects) {
        cancelTimer(Self.stopTimer, &effects)
        endHaptic(isReplaced: true, &effects)
        for feature in leases.keys.sorted() { cancelTimer(TimerName("lease.\(feature)"), &effects) }
        leases = [:]
        for index in lanes.indices {
            cancelExecution(.lane(index), &effects)
            for id in lanes[index].clear() { effects.answer(id, Self.dropped) }
        }
        writes.forget { if case .step = $0 { true } else { false } }
        updateDeadline()
        let before = stopping
        stopping = StopBatch(commands: before?.commands ?? [])
        // The results of an older stop's writes are ignored, because the writes of the new stop replace them.
        writes.forget { $0 == .stop }
        if let command { stopping?.commands.append(command) }
        for step in file.stop where isPresent[step.characteristic] {
            writeFixed(step, priority: .stop, for: .stop, &effects)
        }
        stopping?.count = writes.purposes.count { $0 == .stop }
        if stopping?.count == 0 { stopDone(&effects) }
    }

    static let dropped = Answer.failed(.stopped, "dropped: a stop came after it")

    mutating func stopWritten(_ token: WriteToken, _ result: WriteResult, _ effects: inout Effects) {
        guard stopping != nil else { return }
        if case .failure(let error) = result { stopping?.error = error }
        stopping?.count -= 1
        if stopping?.count == 0 { stopDone(&effects) }
    }

    private mutating func stopDone(_ effects: inout Effects) {
        guard let batch = stopping else { return }
        stopping = nil
        if let error = batch.error {
            effects.remark(.warning, "a stop could not be written and is written again: \(error)")
            if phase == .online, error.code != .disconnected {
                startTimer(Self.stopTimer, after: Self.stopRetry, &effects)
            }
        }
        for id in batch.commands {
            effects.answer(id, batch.error.map { .failed(CommandError($0)) } ?? .ok)
        }
    }

    // MARK: End of a connection

    mutating func close(_ effects: inout Effects) {
        guard phase == .online else {
            leave(&effects)
            phase = .closing
            return effects.append(.disconnect)
        }
        let words =
            file.goodbye.isEmpty && (file.isHazardous || file.haptic != nil) ? file.stop : file.goodbye
        leave(&effects)
        phase = .closing
        for step in words where isPresent[step.characteristic] {
            writeFixed(step, priority: .normal, for: .goodbye, &effects)
        }
        goodbyes = writes.purposes.count { $0 == .goodbye }
        guard goodbyes > 0 else { return effects.append(.disconnect) }
        startTimer(Self.closeTimer, after: Self.closeTime, &effects)
    }

    mutating func goodbyeWritten(_ effects: inout Effects) {
        guard phase == .closing else { return }
        goodbyes -= 1
        guard goodbyes == 0 else { return }
        cancelTimer(Self.closeTimer, &effects)
        effects.append(.disconnect)
    }

    /// Discards the state of the connection, and answers every unfinished command with an error.
    ///
    /// - Parameter keepsWaiting: Whether commands that have not started wait for the next visit, if the device is
    ///   visited.
    mutating func leave(keepsWaiting: Bool = false, _ effects: inout Effects) {
        let offline = Answer.failed(.deviceOffline, "the link to the \(device) was lost")
        if let id = haptic?.takeCommand() { effects.answer(id, offline) }
        finishHaptic(&effects)
        for index in lanes.indices {
            for id in lanes[index].clear(keepsWaiting: keepsWaiting && plan.isVisited) {
                effects.answer(id, offline)
            }
            lanes[index].free = .zero
        }
        for id in stopping?.commands ?? [] { effects.answer(id, offline) }
        for timer in timers.sorted(by: { $0.description < $1.description }) { effects.cancelTimer(timer) }
        writes.forget()
        (timers, stopping, leases, executions, reads) = ([], nil, [:], [:], [])
        (setupStep, polls, hasGarbage, goodbyes, counts) = (0, [], false, 0, [:])
        unheard = []
        lineBuffers = file.characteristics.map { $0.lines.map { LineBuffer($0) } }
        // The values of a device that only advertises, or is visited, remain valid, because they do not depend on a link.
        if !file.connecting.outlivesLinks { reports = file.features.map { ReportState($0.report) } }
        updateDeadline()
    }

    /// Cancels the step that the setup or a lane executes.
    mutating func cancelExecution(_ owner: Execution.Owner, _ effects: inout Effects) {
        guard executions.removeValue(forKey: owner) != nil else { return }
        cancelTimer(TimerName("wait.\(Self.number(owner))"), &effects)
        cancelTimer(TimerName("pause.\(Self.number(owner))"), &effects)
    }
}

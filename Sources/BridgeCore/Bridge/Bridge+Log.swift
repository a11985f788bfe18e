import BridgeContract
import BridgeParts
import DeviceKit
import Logging
import Messages

// The log of commands that no device answers, and the log lines that the bridge publishes.
extension Bridge {
    /// Logs the result of a command that no device answered.
    func logEnd(of request: CommandRequest, to name: String, _ answer: Answer) {
        func metadata() -> Logger.Metadata {
            [
                "to": "\(name)", "feature": "\(request.feature.excerpt)", "answer": "\(answer.summary)",
                "payload": "\(request.payload.excerpt)",
            ]
        }
        guard case .failed(let error) = answer else {
            return logger.debug(
                "command succeeded", metadata: metadata(), source: LogSubsystem.commands.rawValue)
        }
        let (level, unsaid) = log.failures.take(error.code, at: ports.time.now)
        logger.log(
            level: level, "command failed", metadata: metadata().adding(unsaid: unsaid),
            source: LogSubsystem.commands.rawValue)
    }

    /// Warns once that a log at the level `trace` contains everything that is typed.
    func warnOfTrace(at level: Logger.Level) {
        guard log.warnsOfTrace(at: level, logsTyping: settings.logsTyping) else { return }
        logger.notice(
            "the log contains everything typed with a TAP, and raw values: log.typing is true, level is trace"
        )
    }

    // MARK: Log lines on the broker

    /// Starts or stops publishing log lines, as the configuration requires.
    func followLog() {
        ports.process.followLog(from: settings.brokerLogLevel) { [input = jobs.continuation] in
            input.yield { $0.logHasLines() }
        }
    }

    private func logHasLines() {
        guard stage != .silent, !timers.runs(.log) else { return }
        startTimer(.log, at: ports.time.now + LogOutlet.interval)
    }

    /// Publishes waiting log lines at a bounded rate. Lines about the log's own topic are not published.
    func logIsDue() {
        guard stage != .silent else { return }
        let topic = topics.own(BridgeFeatures.logName)
        let excerpt = ports.process.takeLog(atMost: LogOutlet.batch)
        var dropped = excerpt.dropped
        ports.process.withoutLog {
            for line in excerpt.lines where line.details["topic"] != topic {
                let payload = LogOutlet.payload(line, dropped: dropped)
                ports.broker.publish(OutgoingMessage(topic: topic, payload: payload, policy: .stream))
                dropped = 0
            }
        }
        if excerpt.hasMore { startTimer(.log, at: ports.time.now + LogOutlet.interval) }
    }
}

extension Bridge {
    /// The clock that checks `expires` for all devices. The bridge warns once if the clock is not synchronized.
    var expiryClock: ExpiryClock {
        ExpiryClock(time: ports.time) { self.warnOfClock() }
    }

    private func warnOfClock() {
        guard requests.warnsOfClock() else { return }
        logger.warning(
            "the field expires is compared with a clock that is not synchronized: run timedatectl set-ntp true"
        )
    }
}

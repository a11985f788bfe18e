import Bluetooth
import DeviceKit
import JSON

extension BeltMachine {
    mutating func readErrorLog(_ id: CommandID, _ effects: inout Effects) throws(CommandError) {
        if let missing = profile.missing(of: [BeltGATT.debugInput, BeltGATT.debugOutput]) {
            throw CommandError(
                .notSupported, "this belt does not report its error log: it has no characteristic \(missing)")
        }
        if let older = diagnosis.log.command { effects.answer(older, .superseded) }
        diagnosis.log = BeltDiagnosis.Log(command: id)
        write(BeltGATT.debugInput, BeltDebugRequest.errorLog.bytes, for: .errorLog(id), &effects)
    }

    /// Handles the belt's acknowledgment or refusal of the request for its error log.
    mutating func errorLogRequested(_ id: CommandID, _ result: WriteResult, _ effects: inout Effects) {
        guard diagnosis.log.command == id else { return }
        switch result {
        case .success:
            if diagnosis.log.log == nil {
                effects.startTimer(BeltDiagnosis.logTimer, after: BeltDiagnosis.logTime)
            }
        case .failure(let error):
            diagnosis.log = BeltDiagnosis.Log()
            effects.answer(id, .failed(CommandError(error)))
        }
    }

    /// Handles a notification of the debug output.
    mutating func debugged(_ bytes: [UInt8], _ effects: inout Effects) {
        switch BeltDebugMessage(bytes) {
        case .error(let code):
            effects.remark(.warning, "the belt reports error 0x\(Hex.string(UInt64(code), digits: 8))")
        case .logHeader(let session, let entries, let first, let last):
            diagnosis.log.log = BeltErrorLog(session: session, count: entries, first: first, last: last)
            advanceErrorLog(&effects)
        case .logEntry(let code, let milliseconds, let session, more: _):
            guard diagnosis.log.log != nil else { return }
            diagnosis.log.log?.entries.append(.init(code: code, milliseconds: milliseconds, session: session))
            advanceErrorLog(&effects)
        case .text, .selfTestStarted, .selfTestFinished, nil: break
        }
    }

    private mutating func advanceErrorLog(_ effects: inout Effects) {
        guard let log = diagnosis.log.log else { return }
        guard log.isComplete else {
            return effects.startTimer(BeltDiagnosis.logTimer, after: BeltDiagnosis.logTime)
        }
        BeltFamily.errorLog.publish(log, &effects)
        if let id = diagnosis.log.command {
            effects.answer(id, .ok(["entries": .integer(log.entries.count)]))
        }
        diagnosis.log = BeltDiagnosis.Log()
        effects.cancelTimer(BeltDiagnosis.logTimer)
    }

    /// Handles a belt that did not send the next packet of its error log in time.
    mutating func errorLogIsLate(_ effects: inout Effects) {
        let told = diagnosis.log
        diagnosis.log = BeltDiagnosis.Log()
        guard let id = told.command else { return }
        let words =
            told.log.map { "the belt sent \($0.entries.count) of the \($0.count) entries of its error log" }
            ?? "the belt did not send its error log within 1.5 s"
        effects.answer(id, .failed(.timeout, words))
    }
}

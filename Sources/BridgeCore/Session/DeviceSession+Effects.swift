import Bluetooth
import BridgeContract
import BridgeParts
import DeviceKit
import JSON
import Logging

extension DeviceSession {
    /// Carries out one effect of the state machine.
    func perform(_ effect: Effect, isCounted: Bool) {
        switch effect {
        case .write, .read, .subscribe, .unsubscribe:
            if let operation = LinkOperation(effect) { add(operation) }
        case .publish(let feature, let value): publish(feature, value)
        case .withdraw(let feature): withdraw(feature)
        case .identify(let info):
            if info != status.info {
                status.info = info
                rememberIdentity()
            }
            reportInfo()
        case .lack(let lacking): note(lacking)
        case .answer(let command, let answer): self.answer(command, answer)
        case .startTimer(let name, let delay): startTimer(.machine(name), at: now + delay)
        case .cancelTimer(let name): clock.cancel(.machine(name))
        case .ready: becomeReady()
        case .fail(let failure): disconnect(failure)
        case .disconnect: disconnect(nil)
        case .remember(let key, let value): context.changed(.remember(key: key, value))
        case .awaitClearance: motion?.awaitClearance()
        case .count where !isCounted: break
        case .latch(let isSet):
            if isSet { context.changed(.latch(.latched)) }
            machine.keepLatch(isSet)
        case .count(let name): counters.named[name, default: 0] += 1
        case .command(let command): context.changed(.gives(command))
        case .relay(let name, let input): context.changed(.relay(to: name, input: input))
        case .remark(let level, let text): remark(level, text)
        }
    }

    /// Stores the device's name and description, so that they can be displayed after a restart.
    func rememberIdentity() { context.changed(.remember(key: DeviceStatus.memoryKey, status.known)) }

    /// Records which declared features the device lacks. If these have changed, publishes the device's
    /// features, and withdraws the reports that the device cannot have.
    private func note(_ lacking: Lacking) {
        guard lacking != status.lacking else { return }
        status.lacking = lacking
        context.changed(.remember(key: Lacking.memoryKey, lacking.json))
        for feature in lacking.reports.sorted() { withdraw(feature) }
        reportFeatures()
        context.changed(.features)
    }

    private func remark(_ level: RemarkLevel, _ text: String) {
        switch level {
        case .debug: logger.debug("\(text)")
        case .info: logger.info("\(text)")
        case .warning: logger.warning("\(text)")
        }
    }
}

import Bluetooth
import ESPHome
import EventLoop
import Logging
import ProxyClient

extension ProxyRadio {
    static let otherClient = "another client (such as Home Assistant)"

    /// The program that uses the proxy instead of this bridge.
    var holder: String { status.holder.map { AdapterName.holdingBridge + $0 } ?? Self.otherClient }

    /// Why the proxy cannot be used, and what to do; nil if it can be used.
    var problem: String? { status.problem(at: settings.place, mac: settings.mac, cause: socketError) }

    func statusEnded(_ failure: ProxySession.Failure) {
        status.ended(failure)
        statusChanged()
    }

    /// Logs the state of the proxy and reports it to the listeners, if it or the reason has changed.
    func statusChanged() {
        logStatus()
        let state = status.state
        guard state != reported || problem != reportedProblem else { return }
        (reported, reportedProblem) = (state, problem)
        switch state {
        case .ready:
            reportAgain()
            report(.adapterReady(adapter))
        case .held: report(.adapterHeld(adapter, by: holder))
        case .away: report(.adapterLost(adapter))
        }
    }

    private func logStatus() {
        guard let problem else {
            guard reported != .ready || loggedProblem != nil else { return }
            loggedProblem = nil
            let info = status.info ?? DeviceInfo()
            logger.info(
                "the Bluetooth proxy is ready",
                metadata: [
                    "node": "\(info.name)", "address": "\(info.mac)", "version": "\(info.version)",
                    "place": "\(settings.place)",
                ])
            guard !status.canConnect else { return }
            return logger.notice(
                "the proxy only forwards advertisements; no device is connected over it",
                metadata: ["remedy": "set active: true in bluetooth_proxy of its ESPHome configuration"])
        }
        // It is usual that another bridge uses the proxy, and that this becomes known only after a moment.
        let isWaiting = status.sharing == .waiting
        guard problem != loggedProblem, status.failure != .stopped, !isWaiting || status.holder != nil
        else { return }
        loggedProblem = problem
        logger.log(
            level: isWaiting ? .notice : .warning, "the Bluetooth proxy cannot be used",
            metadata: ["reason": "\(problem)"])
    }

    /// Logs that the proxy scans passively.
    func logScanner() {
        guard status.scanner?.mode == 0 else { return }
        logger.notice(
            "the proxy scans passively, so that some devices are not recognized",
            metadata: [
                "remedy":
                    "set active: true in scan_parameters of esp32_ble_tracker in its ESPHome configuration"
            ])
    }
}

import BridgeContract
import BridgeParts
import DeviceKit
import Logging

// How the host bonds with the device.
extension DeviceSession {
    func pair() async {
        do throws(RadioError) {
            try await context.radio.pair(address, requirements: connector.requirements)
            logger.info("the device is bonded with this host", source: LogSubsystem.links.rawValue)
            record(.bond(failure: nil))
            connector.bonded()
        } catch let error where error.code == .inputDevice {
            return turnAwayBonded(error)
        } catch {
            logFailure(.warning, "the host could not bond with the device", error)
            record(.bond(failure: "\(error)"))
            if error.code == .noSlot { context.slots.refused(on: adapter ?? "", at: now) }
            connector.bondFailed(error, at: now)
        }
        guard life == .open else { return }
        proceed()
    }

    /// Bonds with the device by request of a user.
    func bond() async -> Answer {
        guard !connector.supervision.isUserDisconnected else {
            return .failed(.wrongMode, "\(name) is disconnected by request: connect it first")
        }
        do throws(RadioError) {
            try await context.radio.pair(address, requirements: connector.requirements)
        } catch {
            logFailure(.warning, "the host could not bond with the device", error)
            switch error.code {
            case .unavailable, .unknownDevice, .unreachable, .proxyOnly:
                return .failed(.deviceOffline, error.message)
            case .busy, .noSlot: return .failed(.busy, error.message)
            case .inputDevice:
                turnAwayBonded(error)
                return .failed(.deviceError, "\(error.message); \(InputGuard.advice)")
            case .pairingRequired, .pairingFailed, .wrongProfile, .serviceClaimed, .failed:
                return .failed(.deviceError, "\(error.message); \(connector.supervision.bondAdvice)")
            }
        }
        logger.info("the device is bonded with this host", source: LogSubsystem.links.rawValue)
        connector.bondedByRequest()
        if life == .open { proceed() }
        return .ok
    }

    private func turnAwayBonded(_ error: RadioError) {
        connector.inputs.bonded()
        reject(DeviceFailure(.inputDevice, error.message, advice: InputGuard.advice))
    }
}

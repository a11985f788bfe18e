package import Bluetooth
package import BridgeContract

extension CompositeRadio {
    /// Connects over one radio. If the attempt fails, the session's next attempt chooses again: a proxy without a slot
    /// is avoided until its slots change, and a radio that did not reach the device needs a new advertisement and has a
    /// disadvantage.
    package func connect(
        _ address: Address, requirements: LinkRequirements,
        handler: @escaping @Sendable (LinkEvent) -> Void
    ) async throws(RadioError) -> any DeviceLink {
        let number = try choose(address, requirements)
        do throws(RadioError) {
            let link = try await radios[number].connect(address, requirements: requirements, handler: handler)
            table.attempted(address, by: number, succeeded: true, at: now())
            return link
        } catch {
            throw failed(error, address, requirements, over: number)
        }
    }

    package func pair(_ address: Address, requirements: LinkRequirements) async throws(RadioError) {
        let number = try choose(address, requirements)
        do throws(RadioError) {
            try await radios[number].pair(address, requirements: requirements)
        } catch {
            throw failed(error, address, requirements, over: number)
        }
    }

    /// Removes the device and its bond from every radio that knows it. It is enough that one of them succeeds.
    package func forget(_ address: Address) async throws(RadioError) {
        var (isDone, failure): (Bool, RadioError?) = (false, nil)
        for (number, radio) in radios.enumerated() {
            guard number == ReceiverTable.host || isKnown(address, to: number) else { continue }
            do throws(RadioError) {
                try await radio.forget(address)
                isDone = true
            } catch {
                failure = error
            }
        }
        if !isDone, let failure { throw failure }
    }

    private func isKnown(_ address: Address, to number: Int) -> Bool {
        table.knows(address, by: number) || proxies[number - 1].hasBond(address)
    }

    private func choose(_ address: Address, _ requirements: LinkRequirements) throws(RadioError) -> Int {
        switch table.choose(
            address, mayUseProxy: requirements.mayUseProxy, at: now(), standing: standing)
        {
        case .use(let number): return number
        case .proxyOnly(let adapter):
            throw RadioError(
                .proxyOnly, "only \(adapter) receives the device, which is never connected over a proxy")
        case .nobody:
            // Without an adapter, the host would report that Bluetooth is unavailable, although a proxy may be ready.
            let isProxyReady = proxies.contains { $0.freeSlots != nil }
            guard hostAdapters.isEmpty, isProxyReady else { return ReceiverTable.host }
            let seconds = ReceiverTable.freshness.components.seconds
            throw RadioError(.unknownDevice, "no proxy received an advertisement in the last \(seconds) s")
        }
    }

    /// Records why a radio could not connect or bond, and returns the error for the session.
    private func failed(
        _ error: RadioError, _ address: Address, _ requirements: LinkRequirements, over number: Int
    ) -> RadioError {
        switch error.code {
        case .noSlot:
            if number != ReceiverTable.host {
                refusals[number] = Refusal(freeSlots: proxies[number - 1].freeSlots, at: now())
            }
        case .unreachable, .unavailable, .unknownDevice:
            table.attempted(address, by: number, succeeded: false, at: now())
        case .pairingRequired, .pairingFailed, .wrongProfile, .serviceClaimed, .inputDevice, .busy,
            .proxyOnly,
            .failed:
            return error
        }
        // Another radio may connect at once, so the session must not wait until this one is ready again.
        guard [.noSlot, .unavailable].contains(error.code),
            case .use(let other) = table.choose(
                address, mayUseProxy: requirements.mayUseProxy, at: now(), standing: standing),
            other != number, !isFull(other)
        else { return error }
        return RadioError(.busy, error.message)
    }
}

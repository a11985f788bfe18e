import Bluetooth
import DBus
import Logging

extension Client {
    /// Exports the agent on the bus; ``updateAgent()`` registers it with bluetoothd.
    func exportAgent(on connection: Connection) async throws {
        func method(
            _ name: String, takes: Signature, returns: Signature = "",
            _ answer: @escaping @Sendable (isolated Client, [Value]) throws -> [Value] = { _, _ in [] }
        ) -> Method {
            .immediate(name, takes: takes, returns: returns) { [weak self] call in
                guard let self else { throw Self.rejected("The agent no longer exists") }
                return try assumeIsolated { client in
                    guard call.sender == client.service.owner else {
                        throw Self.rejected("Only bluetoothd may call the agent")
                    }
                    return try answer(client, call.arguments)
                }
            }
        }
        let methods: [Method] = [
            method("Release", takes: "") { client, _ in
                client.logger.debug("bluetoothd released the pairing agent")
                return []
            },
            method("RequestPinCode", takes: "o", returns: "s") { try $0.answer(.pinCode, $1) },
            method("DisplayPinCode", takes: "os") {
                try $0.answer(.displayPinCode($1.last?.string ?? ""), $1)
            },
            method("RequestPasskey", takes: "o", returns: "u") { try $0.answer(.passkey, $1) },
            method("DisplayPasskey", takes: "ouq") {
                try $0.answer(
                    .displayPasskey(Self.number($1[1]), entered: UInt16(clamping: $1[2].integer ?? 0)), $1)
            },
            method("RequestConfirmation", takes: "ou") {
                try $0.answer(.confirmation(passkey: Self.number($1[1])), $1)
            },
            method("RequestAuthorization", takes: "o") { try $0.answer(.authorization, $1) },
            method("AuthorizeService", takes: "os") {
                guard let service = $1.last?.string.flatMap({ UUID($0) }) else {
                    throw Self.rejected("Not a service UUID")
                }
                return try $0.answer(.service(service), $1)
            },
            method("Cancel", takes: "") { client, _ in
                client.logger.info("bluetoothd canceled its pairing request")
                return []
            },
        ]
        try await connection.export([Interface(Names.agent, methods: methods)], at: settings.agentPath)
    }

    /// Decides on a request of bluetoothd. The answer contains no value: an agent without display and keyboard cannot
    /// enter a passkey or a PIN.
    private func answer(_ request: PairingRequest, _ arguments: [Value]) throws(DBusError) -> [Value] {
        guard let device = arguments.first?.objectPath.flatMap({ tree.devices[$0] }) else {
            throw Self.rejected("Unknown device")
        }
        let isAllowed = isAllowed(device.adapter) && request.isAnswerable && agrees(to: request, device)
        logger.notice(
            "a device \(request.words)",
            metadata: [
                "device": "\(device.address)", "name": "\(device.displayName ?? "")",
                "adapter": "\(device.adapter.name)", "answer": "\(isAllowed ? "yes" : "no")",
            ])
        guard isAllowed else { throw Self.rejected("Not allowed") }
        return []
    }

    /// Returns whether this program agrees to a request of a device. It must be bonding with, connecting to or
    /// connected to the device. It agrees to a bond if the requirements allow bonding, and to a service if the
    /// requirements include the service. Devices that the host already trusts cause no request.
    private func agrees(to request: PairingRequest, _ device: Device) -> Bool {
        let wishes = [
            pairing[device.address], connects[device.address]?.requirements, links[device.path]?.requirements,
        ]
        return wishes.contains { wish in
            guard let wish else { return false }
            if case .service(let service) = request { return wish.services.contains(service) }
            return wish.mayBond
        }
    }

    private static func number(_ value: Value) -> UInt32 { UInt32(clamping: value.integer ?? 0) }

    private static func rejected(_ message: String) -> DBusError {
        DBusError(name: "org.bluez.Error.Rejected", message: message)
    }
}

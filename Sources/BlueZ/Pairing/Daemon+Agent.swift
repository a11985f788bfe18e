import Bluetooth
import DBus
import Logging

extension Daemon {
    /// Puts the agent on the bus; bluetoothd learns of it by ``registerAgent()``.
    func exportAgent(on connection: Connection) async throws {
        func method(
            _ name: String, takes: Signature, returns: Signature = "",
            _ answer: @escaping @Sendable (isolated Daemon, [Value]) throws -> [Value] = { _, _ in [] }
        ) -> Method {
            .immediate(name, takes: takes, returns: returns) { [weak self] call in
                guard let self else { throw Self.rejected("The agent is gone") }
                return try assumeIsolated { daemon in
                    guard call.sender == daemon.owner else { throw Self.rejected("Only bluetoothd may ask") }
                    return try answer(daemon, call.arguments)
                }
            }
        }
        let methods: [Method] = [
            method("Release", takes: "") { daemon, _ in
                daemon.logger.info("bluetoothd let the pairing agent go")
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
                    throw Self.rejected("Not a service")
                }
                return try $0.answer(.service(service), $1)
            },
            method("Cancel", takes: "") { daemon, _ in
                daemon.logger.info("bluetoothd took its question back")
                return []
            },
        ]
        try await connection.export([Interface(Names.agent, methods: methods)], at: settings.agentPath)
    }

    /// Makes bluetoothd ask this agent.
    func registerAgent() {
        let life = life
        let path: Value = .objectPath(settings.agentPath)
        start(
            "RegisterAgent", of: Names.agentManager, at: "/org/bluez",
            [path, .string(settings.agentCapability)],
            limit: limits.question, subject: "agent"
        ) { daemon, result in
            guard daemon.life == life else { return }
            if case .failure(let error) = result, error.code != .alreadyDone {
                // After a restart of bluetoothd its managers come later than its adapters.
                daemon.logger.debug(
                    "The pairing agent is not registered yet", metadata: ["error": "\(error)"])
                daemon.retryLater { if $0.life == life { $0.registerAgent() } }
                return
            }
            daemon.becomeDefaultAgent()
        }
    }

    /// Makes the agent answer for bonding that no program asked for, such as by a read of an encrypted value.
    ///
    /// There is one default agent for all adapters, so a program that is held to some of them leaves that to
    /// others, and answers only for what it does itself.
    private func becomeDefaultAgent() {
        guard settings.adapters.isEmpty else { return }
        start(
            "RequestDefaultAgent", of: Names.agentManager, at: "/org/bluez",
            [.objectPath(settings.agentPath)],
            limit: limits.question, subject: "agent"
        ) { daemon, result in
            guard case .failure(let error) = result else { return }
            daemon.logger.warning("Not the default pairing agent", metadata: ["error": "\(error)"])
        }
    }

    /// Decides about a question of bluetoothd; the answer is empty, because an agent without keyboard has nothing
    /// to tell.
    private func answer(_ request: PairingRequest, _ arguments: [Value]) throws(DBusError) -> [Value] {
        guard let device = arguments.first?.objectPath.flatMap({ tree.devices[$0] }) else {
            throw Self.rejected("The device is not known")
        }
        let isOurs =
            pairing.contains(device.address) || connecting.contains(device.address)
            || links[device.path] != nil
        let isAllowed =
            isAllowed(device.adapter.name) && request.isAnswerable
            && (isOurs || device.isTrusted || settings.pairingPolicy(device.address, request))
        logger.notice(
            "A device \(request.words)",
            metadata: [
                "device": "\(device.address)", "name": "\(device.displayName ?? "")",
                "adapter": "\(device.adapter.name)", "answer": "\(isAllowed ? "yes" : "no")",
            ])
        guard isAllowed else { throw Self.rejected("Not allowed here") }
        return []
    }

    private static func number(_ value: Value) -> UInt32 { UInt32(clamping: value.integer ?? 0) }

    private static func rejected(_ message: String) -> DBusError {
        DBusError(name: "org.bluez.Error.Rejected", message: message)
    }
}

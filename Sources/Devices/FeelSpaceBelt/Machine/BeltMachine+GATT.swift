import Bluetooth
import DeviceKit
import JSON

extension BeltMachine {
    mutating func access(
        _ id: CommandID, _ asked: BeltFamily.GATTCommand, _ effects: inout Effects
    ) throws(CommandError) {
        guard isExpert else {
            let others = BeltFamily().features.filter { $0.command != nil && $0.name != BeltFamily.gatt.name }
            throw CommandError(
                .notSupported,
                "gatt needs \(BeltFamily.expertKey): true in the configuration of the belt; without it a belt accepts "
                    + others.map(\.name).joined(separator: " "))
        }
        let characteristic = try characteristic(asked.characteristic, in: asked.service)
        var source: CharacteristicID?
        if let text = asked.answerFrom { source = try answering(text) }
        guard let hex = asked.hex else {
            guard source == nil else {
                throw CommandError(.missingField, "hex: missing; answer_from is only for a write")
            }
            return try read(characteristic, for: id, &effects)
        }
        guard let bytes = Hex.bytes(hex), !bytes.isEmpty else {
            throw CommandError(.invalidValue, "hex: pairs of hexadecimal digits, such as 01 01, got \(hex)")
        }
        let properties = profile.characteristics[characteristic] ?? []
        guard !properties.isDisjoint(with: [.write, .writeWithoutResponse]) else {
            throw CommandError(.notSupported, "\(characteristic) cannot be written")
        }
        let raw = try BeltRawWrite(bytes, to: characteristic, isConfirmed: asked.isConfirmed)
        if case .mode(let mode) = raw {
            guard source == nil else {
                throw CommandError(
                    .invalidValue,
                    "answer_from: must be omitted, because a mode is answered when it is confirmed")
            }
            if mode == .app { appMode.isWanted = true }
            return request(
                bytes, until: .mode(mode), for: id, saying: ["hex": .string(Hex.string(bytes))], &effects)
        }
        if let source { try expect(source, as: id, answering: bytes, to: characteristic) }
        let isAnswered = source == nil
        let purpose = Purpose.gatt(id, isAnswered ? bytes : nil)
        if case .vibration(let command) = raw {
            releaseHaptic(for: command, &effects)
            write(command, as: bytes, for: purpose, from: .gatt, &effects)
        } else {
            if raw == .signal { vibrations.signalled(at: now) }
            writes.write(
                characteristic, bytes, profile.writeKind(characteristic), for: purpose, &effects)
        }
    }

    private mutating func read(
        _ characteristic: CharacteristicID, for id: CommandID, _ effects: inout Effects
    ) throws(CommandError) {
        guard profile.canRead(characteristic) else {
            let readable = own.filter { profile.canRead($0) }.map(\.description).joined(separator: " ")
            throw CommandError(
                .notSupported, "\(characteristic) cannot be read; give hex to write it; readable: \(readable)"
            )
        }
        diagnosis.access.reads[characteristic, default: []].append(id)
        effects.read(characteristic)
    }

    // MARK: Names of characteristics

    private static let services = [BeltGATT.controlService, BeltGATT.sensorService, BeltGATT.debugService]

    /// The characteristics of the belt's own services that this belt has, in the order of the belt's table.
    private var own: [CharacteristicID] {
        BeltGATT.table.map(\.characteristic).filter { profile.has($0) }
    }

    private func characteristic(
        _ text: String, in service: String?
    ) throws(CommandError) -> CharacteristicID {
        if let service, UUID(service).map({ !Self.services.contains($0) }) ?? true {
            throw CommandError(.invalidValue, "service: one of FE51 FE52 FE53, got \(service)")
        }
        let wanted = UUID(text)
        let place = service.flatMap { UUID($0) }
        guard let found = own.first(where: { $0.uuid == wanted && (place == nil || $0.service == place) })
        else {
            let there = own.filter { place == nil || $0.service == place }.map(\.description)
            throw CommandError(
                .invalidValue, "characteristic: one of \(there.joined(separator: " ")), got \(text)")
        }
        return found
    }

    /// Returns the characteristic with this UUID, whose next notification is the answer to a `gatt` command. Throws if
    /// its notifications are not enabled.
    private func answering(_ text: String) throws(CommandError) -> CharacteristicID {
        let present = own.filter { id in
            guard profile.canNotify(id) else { return false }
            switch id {
            case BeltGATT.orientation: return orientation.isSubscribed
            case BeltGATT.sensorData: return diagnosis.raw.isRunning
            default: return true
            }
        }
        guard let found = present.first(where: { $0.uuid == UUID(text) }) else {
            let words = present.map(\.description).joined(separator: " ")
            throw CommandError(.invalidValue, "answer_from: one of \(words), got \(text)")
        }
        return found
    }

    // MARK: Answers

    private mutating func expect(
        _ source: CharacteristicID, as id: CommandID, answering bytes: [UInt8],
        to characteristic: CharacteristicID
    ) throws(CommandError) {
        guard diagnosis.access.awaited == nil else {
            throw CommandError(.busy, "another gatt command is waiting for its answer")
        }
        let isParameter =
            characteristic == BeltGATT.parameterRequest && source == BeltGATT.parameterNotification
        diagnosis.access.awaited = .init(
            command: id, characteristic: source, prefix: isParameter ? Self.answer(to: bytes) : [])
    }

    /// Returns the first bytes of the notification that answers a parameter request.
    private static func answer(to bytes: [UInt8]) -> [UInt8] {
        switch (bytes.first, bytes.count) {
        case (0x01, 2...): [0x01, bytes[1] & 0x7F]
        case (0x10, 3...): [0x10, bytes[2]]
        case (0x11, 2...): [0x10, bytes[1]]
        default: []
        }
    }

    /// Answers a command with a notification, if the command waits for it.
    mutating func answerRaw(_ characteristic: CharacteristicID, _ bytes: [UInt8], _ effects: inout Effects) {
        guard let awaited = diagnosis.access.awaited, awaited.characteristic == characteristic,
            bytes.starts(with: awaited.prefix)
        else { return }
        diagnosis.access.awaited = nil
        effects.cancelTimer(BeltDiagnosis.gattTimer)
        effects.answer(awaited.command, .ok(["hex": .string(Hex.string(bytes))]))
    }

    /// Handles the belt's acknowledgment or refusal of a write of raw bytes. `bytes` are returned in the answer; nil if
    /// a notification is the answer.
    mutating func rawWritten(
        _ id: CommandID, _ bytes: [UInt8]?, _ result: WriteResult,
        _ effects: inout Effects
    ) {
        if let bytes {
            guard case .success = result else { return effects.answer(id, Answer(result)) }
            return effects.answer(id, .ok(["hex": .string(Hex.string(bytes))]))
        }
        guard diagnosis.access.awaited?.command == id else { return }
        switch result {
        case .success: effects.startTimer(BeltDiagnosis.gattTimer, after: Self.answerTime)
        case .failure(let error):
            diagnosis.access.awaited = nil
            effects.answer(id, .failed(CommandError(error)))
        }
    }

    mutating func rawAnswerIsLate(_ effects: inout Effects) {
        guard let awaited = diagnosis.access.awaited else { return }
        diagnosis.access.awaited = nil
        effects.answer(
            awaited.command,
            .failed(.timeout, "\(awaited.characteristic) did not notify an answer within 1 s"))
    }

    /// Handles the result of a read for a command.
    mutating func rawRead(
        _ characteristic: CharacteristicID, _ result: ReadResult,
        _ effects: inout Effects
    ) {
        guard let id = diagnosis.access.reads[characteristic]?.first else { return }
        diagnosis.access.reads[characteristic]?.removeFirst()
        switch result {
        case .success(let bytes): effects.answer(id, .ok(["hex": .string(Hex.string(bytes))]))
        case .failure(let error): effects.answer(id, .failed(CommandError(error)))
        }
    }
}

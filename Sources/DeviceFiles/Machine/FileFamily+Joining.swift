package import Bluetooth
package import DeviceKit

// How devices of the family are recognized and admitted.
extension FileFamily {
    /// The last topic level of the group that contains all devices of the family.
    package var plural: String { file.plural }
    package var source: FamilySource { .file }

    package var recognitions: [Recognition] {
        file.matches.map { match in
            Recognition(
                name: match.name?.description, service: match.service, company: match.manufacturer?.company,
                serviceData: match.serviceData?.service,
                data: (match.manufacturer?.data ?? match.serviceData?.data)?.description,
                address: match.address)
        }
    }

    /// Whether a device of the family may join during a `permit_join` that names neither its family nor its address.
    package var joinsUnnamed: Bool { file.joining == .plain }
    /// Whether a device of the family is connected only on request.
    package var connectsOnRequest: Bool { file.connecting == .onRequest }

    /// Returns why encrypted data cannot be read with the settings of a device.
    package func refusal(of advertisement: Advertisement, _ settings: Arguments) -> DeviceFailure? {
        let broadcast = Broadcast(
            serviceData: advertisement.serviceData, manufacturerData: advertisement.manufacturerData)
        for index in plan.advertised {
            guard let data = file.characteristics[index].advertised, let name = data.bthomeKey,
                let bytes = data.bytes(in: broadcast)
            else { continue }
            var cipher = BTHomeCipher(key: settings.text(name), address: advertisement.address, counter: nil)
            guard case .failure(let failure) = cipher.open(bytes, plan.decrypt),
                let reason = file.reason(failure.refusal, index)
            else { continue }
            return DeviceFailure(.handshake, reason)
        }
        return nil
    }

    /// Returns the rank of the match with the highest rank.
    package func rank(of advertisement: Advertisement) -> MatchRank {
        match(advertisement)?.rank ?? MatchRank(.partialName, conditions: 0)
    }

    /// Returns a simulated reply: after a write, the answer for which the device file waits. A read returns the value
    /// that was written last, or the byte 85 if nothing was written.
    package func reply(
        to operation: LinkOperation, memory: inout [CharacteristicID: [UInt8]]
    ) -> DeviceReply {
        let id = operation.characteristic
        switch operation {
        case .read: return DeviceReply(value: memory[id] ?? [85])
        case .write(let write):
            memory[id] = write.value
            guard let index = file.characteristics.firstIndex(where: { $0.id == id }),
                let answer = file.answer(to: write.value, on: index)
            else { return DeviceReply() }
            return DeviceReply(notifications: [file.characteristics[answer.characteristic].id: answer.value])
        case .subscribe, .unsubscribe: return DeviceReply()
        }
    }
}

package import Bluetooth
package import DeviceKit

// How devices of the family come to the bridge.
extension FileFamily {
    /// The last level of the group of all such devices.
    package var plural: String { file.plural }
    /// A device file.
    package var source: FamilySource { .file }

    /// The matches of the file.
    package var recognitions: [Recognition] {
        file.matches.map { match in
            Recognition(
                name: match.name?.description, service: match.service, company: match.manufacturer?.company,
                data: match.manufacturer?.data?.description, address: match.address)
        }
    }

    /// Whether such a device joins without its family or its address being named.
    package var joinsUnnamed: Bool { file.joining == .plain }
    /// Whether such a device is connected by request only.
    package var connectsOnRequest: Bool { file.connecting == .onRequest }

    /// That of the match that fits best.
    package func rank(of advertisement: Advertisement) -> MatchRank {
        match(advertisement)?.rank ?? MatchRank(.partialName, conditions: 0)
    }

    /// Meets each wait of the file; a read gives what was written, else 85.
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

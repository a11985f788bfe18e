import Bluetooth
package import DeviceFiles
import DeviceKit
import JSON

/// A device of a device file in software: it has the file's characteristics, notifies what it is told to, and answers
/// the writes whose answer the file waits for.
///
/// It knows no more of the device than the file does, so it shows that the bridge follows the file, not that the file
/// follows the device.
public struct VirtualFileDevice: VirtualDevice {
    /// What a scenario says of such a device.
    public struct Choices: Hashable, Sendable {
        /// A write, and what is notified then.
        package struct Answer: Hashable, Sendable {
            /// The bytes that are written.
            package var match: [UInt8]
            /// What is notified, by the index of the characteristic.
            package var notifies: [Notification]
        }

        /// A value of a characteristic.
        package struct Notification: Hashable, Sendable {
            /// The index of the characteristic.
            package var characteristic: Int
            package var value: [UInt8]
        }

        package var file: DeviceFile
        /// The name that it advertises.
        package var name: String
        /// The values that can be read at first; zeros where nothing is said.
        package var values: [Notification] = []
        /// The answers to writes, before those that the file waits for.
        package var answers: [Answer] = []

        /// Makes a device that only the file describes.
        package init(_ file: DeviceFile, name: String? = nil) {
            self.file = file
            self.name = name ?? file.matches.lazy.compactMap { $0.name?.example }.first ?? file.title
        }
    }

    let choices: Choices
    var file: DeviceFile { choices.file }
    private var values: [Int: [UInt8]] = [:]

    /// Makes the device.
    package init(_ choices: Choices) {
        self.choices = choices
        for entry in choices.values { values[entry.characteristic] = entry.value }
    }

    /// What it advertises: its name, and the services and the makers' data by which the file recognizes it. Of several
    /// data of one maker it has the first; bytes that may be any are 0.
    public var advertisement: VirtualAdvertisement {
        let data = file.matches.compactMap(\.manufacturer).map { maker in
            (maker.company, (maker.data?.bytes ?? []).map { $0 ?? 0 })
        }
        return VirtualAdvertisement(
            name: choices.name, services: file.matches.compactMap(\.service),
            manufacturerData: Dictionary(data) { first, _ in first })
    }

    /// Whether the host may bond: unless the file says that it never does.
    public var acceptsPairing: Bool { file.bonding != .none }

    /// The file's services, with the properties by which the file uses their characteristics.
    public var services: [VirtualService] {
        var services: [VirtualService] = []
        for (index, entry) in file.characteristics.enumerated() {
            let characteristic = VirtualCharacteristic(entry.id, properties(index))
            if let place = services.firstIndex(where: { $0.uuid == entry.id.service }) {
                services[place].characteristics.append(characteristic)
            } else {
                services.append(VirtualService(entry.id.service, [characteristic]))
            }
        }
        return services
    }

    private func properties(_ index: Int) -> CharacteristicProperties {
        var properties: CharacteristicProperties = []
        if file.notifies(index) { properties.insert(.notify) }
        if file.reads(index) { properties.insert(.read) }
        for step in file.writes where step.characteristic == index {
            properties.formUnion(
                step.kind == .withoutResponse
                    ? [.writeWithoutResponse]
                    : step.kind == .withResponse ? [.write] : [.write, .writeWithoutResponse])
            if step.readsBack { properties.insert(.read) }
        }
        return properties.isEmpty ? [.read] : properties
    }

    /// Reacts as the file and the scenario say.
    public mutating func handle(_ stimulus: Stimulus, at now: Duration, reactions: inout [Reaction]) {
        switch stimulus {
        case .poweredOn: reactions.append(.advertise(true))
        case .connected, .disconnected, .bonded, .subscribed, .timer: break
        case .read(let id):
            guard let index = index(id) else { return reactions.append(.refused(0x0A)) }
            reactions.append(.value(values[index] ?? [0]))
        case .write(let id, let bytes, _):
            guard let index = index(id) else { return reactions.append(.refused(0x0A)) }
            if file.reads(index) || properties(index).contains(.read) { values[index] = bytes }
            reactions.append(.written)
            for answer in answer(to: bytes, on: index) {
                notify(answer.characteristic, answer.value, &reactions)
            }
        case .act(let words): act(words, &reactions)
        }
    }

    private func index(_ id: CharacteristicID) -> Int? { file.characteristics.firstIndex { $0.id == id } }

    private func answer(to bytes: [UInt8], on index: Int) -> [Choices.Notification] {
        if let answer = choices.answers.first(where: { $0.match == bytes }) { return answer.notifies }
        return file.answer(to: bytes, on: index).map {
            [.init(characteristic: $0.characteristic, value: $0.value)]
        } ?? []
    }

    /// Notifies a value, which is also what is read from then on.
    mutating func notify(_ index: Int, _ value: [UInt8], _ reactions: inout [Reaction]) {
        values[index] = value
        let entry = file.characteristics[index]
        if file.notifies(index) { reactions.append(.notify(entry.id, value)) }
    }
}

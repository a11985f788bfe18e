import Bluetooth
package import DeviceFiles
import DeviceKit
import JSON

/// A simulated device that is described by a device file. It has the file's characteristics, sends notifications on
/// request, and answers the writes after which the file expects a notification.
///
/// The only source of its behavior is the file. Tests with this device show that the bridge follows the file, not that
/// the file is correct for the real device.
public struct VirtualFileDevice: VirtualDevice {
    /// The options that a scenario can set for a device with a device file.
    public struct Choices: Hashable, Sendable {
        /// A write to the device, and the notifications with which the device answers the write.
        package struct Answer: Hashable, Sendable {
            /// The bytes that a client must write to get the answer.
            package var match: [UInt8]
            /// The notifications that the device sends as the answer, in order.
            package var notifies: [Notification]
        }

        /// The value of a characteristic, to be notified or read.
        package struct Notification: Hashable, Sendable {
            package var characteristic: Int
            package var value: [UInt8]
        }

        package var file: DeviceFile
        /// The name that the device advertises.
        package var name: String
        /// The initial values of characteristics for reads. Characteristics without an entry contain the value of the
        /// first `visit` of the examples, otherwise zero.
        package var values: [Notification] = []
        /// The answers to writes. They have priority over the answers that the device file defines.
        package var answers: [Answer] = []

        /// Creates a device without further options.
        package init(_ file: DeviceFile, name: String? = nil) {
            self.file = file
            self.name = name ?? file.matches.lazy.compactMap { $0.name?.example }.first ?? file.title
        }
    }

    let choices: Choices
    var file: DeviceFile { choices.file }
    private var values: [Int: [UInt8]] = [:]

    /// Creates the device.
    package init(_ choices: Choices) {
        self.choices = choices
        for entry in choices.values { values[entry.characteristic] = entry.value }
    }

    /// The advertisement: the name, and the services and the manufacturer data by which the file recognizes the device.
    /// If the file has several data of one manufacturer, the first is used. Wildcard bytes are 0.
    public var advertisement: VirtualAdvertisement {
        var services = Dictionary(
            file.matches.compactMap(\.serviceData).map { ($0.service, $0.data?.example ?? []) }
        ) { first, _ in first }
        let data = file.matches.compactMap(\.manufacturer).map { maker in
            (maker.company, maker.data?.example ?? [])
        }
        var companies = Dictionary(data) { first, _ in first }
        for (index, entry) in file.characteristics.enumerated() {
            guard let kind = entry.advertised?.kind, let bytes = values[index] else { continue }
            switch kind {
            case .service(let service): services[service] = bytes
            case .manufacturer(let company): companies[company] = bytes
            }
        }
        return VirtualAdvertisement(
            name: choices.name, services: file.matches.compactMap(\.service), manufacturerData: companies,
            serviceData: services)
    }

    /// Whether the device accepts a bond: yes, unless the file excludes it.
    public var acceptsPairing: Bool { file.bonding != .none }

    /// The file's services, with the properties that the file uses.
    public var services: [VirtualService] {
        var services: [VirtualService] = []
        for (index, entry) in file.characteristics.enumerated() where entry.advertised == nil {
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

    /// Handles a stimulus in accordance with the file and the scenario.
    public mutating func handle(_ stimulus: Stimulus, at now: Duration, reactions: inout [Reaction]) {
        switch stimulus {
        case .poweredOn: reactions.append(.advertise(true))
        case .connected, .disconnected, .bonded, .subscribed, .timer: break
        case .read(let id):
            guard let index = index(id) else { return reactions.append(.refused(0x0A)) }
            reactions.append(.value(values[index] ?? file.visitedValue(index) ?? [0]))
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

    /// Sends a notification. Later reads return the same value.
    mutating func notify(_ index: Int, _ value: [UInt8], _ reactions: inout [Reaction]) {
        values[index] = value
        let entry = file.characteristics[index]
        // The characteristic stands for advertised data, so the new value is part of the next advertisement.
        if entry.advertised != nil { return reactions.append(.advertise(true)) }
        if file.notifies(index) { reactions.append(.notify(entry.id, value)) }
    }
}

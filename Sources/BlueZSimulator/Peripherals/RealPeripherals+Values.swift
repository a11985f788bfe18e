import Bluetooth
import DBus
import EventLoop
import VirtualDevices

extension RealPeripherals {
    /// Carries out an output of a device.
    func perform(_ output: WorldOutput) {
        switch output {
        case .answer(let number, let answer): finish(number, answer)
        case .notify(let name, let id, let bytes): notify(id, bytes, of: name)
        case .advertise(let name, let isWanted):
            guard let index = place(of: name) else { return }
            if isWanted, let advertisement = world.peripheral(name)?.advertisement,
                advertisement != devices[index].advertisement
            {
                devices[index].advertisement = advertisement
                updateAdvertisement(of: index)
            }
            devices[index].registration.wantsToAdvertise = isWanted
            proceed(index)
        case .disconnect(let name), .drop(let name), .mute(let name, true):
            if let index = place(of: name) { closeLinks(of: index) }
        case .mute(_, false): break
        case .move(let name, _):
            let message = "a device on a real radio cannot be moved; 'move' is for 'tactile-simulator air'"
            report(Report(device: name, time: EventLoop.now, event: .error(message)))
        case .report(let event): report(event)
        }
    }

    /// Handles a read from bluetoothd.
    func read(_ id: CharacteristicID, of name: String, _ call: MethodCall, _ answer: DBus.Answer) {
        let number = makeNumber()
        requests[number] = PendingRequest(answer: answer, offset: Self.offset(call.arguments[0]))
        carryOut { world, now in world.handle(.read(id), of: name, request: number, at: now) }
    }

    /// Handles a write from bluetoothd. If bluetoothd does not state whether the client requires a response, the
    /// characteristic's properties decide.
    func write(_ id: CharacteristicID, of name: String, _ call: MethodCall, _ answer: DBus.Answer) {
        let options = call.arguments[1].properties ?? [:]
        guard options["prepare-authorize"]?.bool != true else { return answer.succeed() }
        let bytes = call.arguments[0].bytes ?? []
        let canRespond =
            world.peripheral(name)?.services.flatMap(\.characteristics).first { $0.id == id }?
            .properties.contains(.write) ?? true
        let withResponse = options["type"]?.string.map { $0 != "command" } ?? canRespond
        let number = makeNumber()
        requests[number] = PendingRequest(answer: answer)
        carryOut { world, now in
            world.handle(
                .write(id, bytes, withResponse: withResponse), of: name, request: number, at: now)
        }
    }

    /// Handles a subscription (`true`) or the end of the last subscription (`false`).
    func subscribed(_ id: CharacteristicID, _ isWanted: Bool, of name: String, _ answer: DBus.Answer) {
        answer.succeed()
        if let index = devices.firstIndex(where: { $0.name == name }) {
            devices[index].setSubscription(id, isWanted)
        }
        carryOut { world, now in world.handle(.subscribed(id, isWanted), of: name, at: now) }
    }

    private func finish(_ number: Int, _ answer: VirtualDevices.Answer) {
        guard let request = requests.removeValue(forKey: number) else { return }
        switch answer {
        case .value(let bytes):
            if request.offset <= bytes.count {
                request.answer?.succeed([.bytes(Array(bytes[request.offset...]))])
            } else {
                request.answer?.fail(ApplicationLayout.refusal(0x07))
            }
        case .written: request.answer?.succeed()
        case .refused(let code): request.answer?.fail(ApplicationLayout.refusal(code))
        }
    }

    /// Sends a notification at a rate that bluetoothd can process.
    private func notify(_ id: CharacteristicID, _ bytes: [UInt8], of name: String) {
        pacer.add(Pacer.Item(device: name, id: id, bytes: bytes))
        if pacer.isIdle { sendNext() }
    }

    private func sendNext() {
        guard let item = pacer.next() else { return }
        if let index = place(of: item.device), let path = devices[index].layout.path(of: item.id) {
            let values: [String: Value?] = ["Value": .bytes(item.bytes)]
            onBus { try $0.setProperties(values, of: BlueZName.characteristic, at: path) }
        }
        _ = loop.schedule(after: Pacer.pause) { [weak self] in
            self?.assumeIsolated {
                $0.pacer.pauseEnded()
                $0.sendNext()
            }
        }
    }

    private static func offset(_ options: Value) -> Int { options.properties?["offset"]?.integer ?? 0 }
}

import VirtualDevices

extension Daemon {
    mutating func fire(_ wait: Wait) {
        switch wait {
        case .start:
            for index in adapters.indices { addAdapter(index) }
            if adapters.isEmpty { outputs.append(.ready) }
        case .powerOn(let name): setPower(of: name, true)
        case .sighting(let key): sight(key)
        case .temporary(let key): vanish(key)
        case .connectTimeout(let key): giveUpConnecting(key)
        case .established(let key): establish(key)
        case .resolved(let key): resolve(key)
        case .exported(let key): export(key)
        case .closed(let key): finishClosing(key)
        case .supervision(let key): loseLink(key)
        case .pairing(let key): askForPairing(key)
        }
    }

    /// Carries out an output of a device.
    mutating func take(_ output: WorldOutput) {
        switch output {
        case .answer(let request, let answer): finish(request, answer)
        case .notify(let name, let id, let bytes):
            if let key = linked(name) { notify(id, bytes, of: key) }
        case .advertise(let name, let isHeard): if isHeard { beginToHear(name) }
        case .disconnect(let name), .drop(let name):
            if let key = linked(name) { loseLink(key) }
        case .mute(let name, true):
            muted.insert(name)
            if let key = linked(name) { waits.set(.supervision(key), at: now + options.supervisionTimeout) }
        case .mute(let name, false):
            muted.remove(name)
            if let key = linked(name) { waits.cancel(.supervision(key)) }
        case .move: break
        case .report(let report): outputs.append(.report(report))
        }
    }

    /// The connected device with this name; nil if it is not connected.
    func linked(_ name: String) -> DeviceKey? {
        devices.first { $0.key.name == name && $0.value.isConnected }?.key
    }
}

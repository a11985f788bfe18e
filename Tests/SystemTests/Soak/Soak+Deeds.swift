import DBus
import EventLoop
import HostTesting
import JSON

// The actions of a soak.
extension Soak {
    func carryOut(_ action: SoakAction) throws {
        let word = "\(action)".prefix { $0 != "(" }
        actions[String(word), default: 0] += 1
        if word != "command" { history.note("\(action)", of: action.device?.name, at: EventLoop.now) }
        switch action {
        case .command(let order): try send(order)
        case .tap(let device): try tap(device)
        case .burst(let device): for _ in 0..<30 { try tap(device) }
        case .press(let device, let button): try bench.act("\(device.name) press \(button)")
        case .drop(let device): try bench.act("drop \(device.name)")
        case .mute(let device, let isMuted): try bench.act("\(isMuted ? "mute" : "unmute") \(device.name)")
        case .garbage(let device, let count): try bench.act("garbage \(device.name) \(count)")
        case .adapter(let number, let isOn): switchAdapter(number, isOn: isOn)
        case .stopBroker:
            bench.broker.stop()
            commands.connectionEnded()
        case .startBroker: try bench.broker.start()
        case .freezeBroker: bench.broker.freeze()
        case .thawBroker: bench.broker.thaw()
        case .restartBlueZ: try replaceSimulator()
        case .reload(let change, let byRequest): try reload(change, byRequest: byRequest)
        }
    }

    private func tap(_ device: Fleet.Device) throws {
        if taps.isAmbiguous(device.name) { try catchUpWithSimulator() }
        try bench.act("\(device.name) \(taps.tap(device.name, at: EventLoop.now))")
    }

    private func send(_ order: SoakAction.Order) throws {
        var fields = order.fields
        let prefix =
            switch order.target {
            case .device(let device): name(of: device)
            case .group(let group): group
            case .bridge, .about: "bridge/test/request"
            }
        if case .about(let device) = order.target {
            fields = "\"device\":\"\(fleet.topic(device))\""
            if order.feature == "disconnect" { released.insert(device) }
        }
        let isRequest = prefix == "bridge/test/request"
        try send(
            prefix + "/" + order.feature + (isRequest ? "" : "/set"), fields, order.text, order.question,
            order.lease.flatMap { lease in
                guard case .device(let robot) = order.target else { return nil }
                return (robot.name, .milliseconds(lease))
            })
    }

    /// A device's topic; every second time the former topic of the device that was renamed last.
    private func name(of device: Fleet.Device) -> String {
        guard let former = fleet.former, former.device == device, !commands.entries.count.isMultiple(of: 2)
        else { return fleet.topic(device) }
        return former.topic
    }

    /// Publishes a command and records it in the ledgers; returns its number.
    @discardableResult
    func send(
        _ topic: String, _ fields: String?, _ text: String = "", _ question: SoakAction.Order.Question,
        _ drive: (robot: String, lease: Duration)? = nil
    ) throws -> Int {
        let now = EventLoop.now
        let number = commands.send(
            "\(topic) \(fields ?? text) (\(question)) at \(now)", at: now, isFleeting: drive != nil)
        var payload = text
        if let fields {
            let id = question == .id ? ["\"id\":\(number)"] : []
            payload = "{" + (id + (fields.isEmpty ? [] : [fields])).joined(separator: ",") + "}"
        }
        if let drive { wheels.drive(drive.robot, number: number, lease: drive.lease, at: now) }
        try (drive == nil ? commander : driver).publish(
            number, topic, payload, responseTopic: question == .response ? "answer/\(number)" : nil)
        return number
    }

    /// Changes the configuration file and reloads it.
    func reload(_ change: Fleet.Change, byRequest: Bool) throws {
        try bench.configure(fleet.apply(change))
        if byRequest {
            try send("bridge/test/request/reload", "", "", .response)
        } else {
            bridge.hangUp()
        }
    }

    /// Sends a request to the bridge, and again whenever the answer is lost with a connection.
    func sendUntilAnswered(_ request: String, _ fields: String) throws {
        let end = EventLoop.now + .seconds(300)
        while EventLoop.now < end {
            let number = try send("bridge/test/request/" + request, fields, "", .response)
            attend(until: end) {
                let entry = commands.entries[number]
                return !entry.answers.isEmpty || entry.delivery == .lost || entry.isExcused
            }
            if !commands.entries[number].answers.isEmpty { return }
            // A bridge that was late reconnects; the request is sent again after its next statistics.
            let count = statsCount
            attend(until: end) { statsCount >= count + 2 }
        }
        throw Missing(what: "the answer to \(request)", seen: log.suffix(40))
    }

    /// Changes the configuration file and reloads it, until the request is answered.
    func reloadUntilAnswered(_ changes: [Fleet.Change]) throws {
        for change in changes { _ = fleet.apply(change) }
        try bench.configure(fleet.configuration)
        try sendUntilAnswered("reload", "")
    }

    /// Switches an adapter as `bluetoothctl power` does; does nothing if BlueZ does not run.
    func switchAdapter(_ number: Int, isOn: Bool) {
        _ = try? callBlueZ(
            "/org/bluez/hci\(number)", "org.freedesktop.DBus.Properties.Set", "string:org.bluez.Adapter1",
            "string:Powered", "variant:boolean:\(isOn)")
    }

    /// Calls a method of BlueZ and waits for the answer.
    func callBlueZ(_ path: String, _ method: String, _ arguments: String...) throws {
        _ = try call("org.bluez", path, method, arguments)
    }

    /// Waits until the bus has detected the end of BlueZ: its name is not available until then.
    func awaitNoBlueZ() throws {
        let end = EventLoop.now + .seconds(60)
        let name = ["string:org.bluez"]
        while try call("org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner", name)
            .contains("true")
        {
            guard EventLoop.now < end else { throw Missing(what: "the end of BlueZ on the bus", seen: []) }
        }
    }

    private func call(
        _ service: String, _ path: String, _ method: String, _ arguments: [String]
    ) throws -> String {
        try TestProcess.run(
            [
                "dbus-send", "--bus=\(bench.bus.address.description)", "--dest=\(service)", "--print-reply",
                "--reply-timeout=120000", path, method,
            ] + arguments)
    }
}

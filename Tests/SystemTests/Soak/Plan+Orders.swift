// The commands of a plan.
extension Plan {
    typealias Order = SoakAction.Order

    mutating func order() -> Order {
        switch number(0...99) {
        case 0...1: Order(target: .group("all"), feature: "stop", fields: "", question: .id)
        case 2...3: groupOrder()
        case 4...9: request()
        case 10...39: order(to: device(.robot))
        case 40...69: order(to: device(.tap))
        default: order(to: device(.belt))
        }
    }

    mutating func order(to device: Fleet.Device) -> Order {
        switch device.family {
        case .belt: beltOrder(device)
        case .tap: tapOrder(device)
        case .robot: robotOrder(device)
        }
    }

    private mutating func question() -> Order.Question { one([.id, .response]) }

    private mutating func make(_ device: Fleet.Device, _ feature: String, _ fields: String) -> Order {
        Order(target: .device(device), feature: feature, fields: fields, question: question())
    }

    /// A command that no device accepts.
    private mutating func nonsense(_ device: Fleet.Device) -> Order {
        switch number(0...4) {
        case 0: make(device, "colour", #""colour":"red""#)
        case 1: make(device, "stop", #""colour":"red""#)
        case 2:
            Order(
                target: .device(device), feature: "haptic",
                text: one(["{", "[[", "no such pattern", #"{"pattern":"#]),
                question: .response)
        case 3: make(device, "haptic", #""pattern":"normal","expires":"2026-01-31T12:00:00.000Z""#)
        default: make(device, "haptic", #""pattern":17"#)
        }
    }

    private mutating func beltOrder(_ device: Fleet.Device) -> Order {
        switch number(0...13) {
        case 0...1: nonsense(device)
        case 2: make(device, "intensity", "\"intensity\":\(number(0...110))")
        case 3...4: make(device, "navigation", "\"direction\":\(number(0...370)),\"start_if_stopped\":true")
        case 5: make(device, "navigation", #""state":"stopped""#)
        case 6: make(device, "mode", "\"mode\":\"\(one(["app", "wait", "compass", "pause"]))\"")
        case 7...8:
            make(device, "vibrate", "\"direction\":\(number(0...359)),\"enter_app_mode\":true")
        case 9: make(device, "haptic", "\"pattern\":\"\(one(["normal", "heavy", "gradual", "multi"]))\"")
        case 10: make(device, "stop", "")
        case 11: make(device, "signal", #""signal":"warning""#)
        case 12: make(device, "heading_offset", "\"heading_offset\":\(number(0...359))")
        default: make(device, "notify", "\"kind\":\"direction\",\"direction\":\(number(0...359))")
        }
    }

    private mutating func tapOrder(_ device: Fleet.Device) -> Order {
        switch number(0...9) {
        case 0...1: nonsense(device)
        case 2...3:
            // The TAP returns to a mode that usually reports taps.
            make(device, "input_mode", "\"mode\":\"\(one(["controller", "controller", "text"]))\"")
        case 4...6: make(device, "vibrate", "\"durations_ms\":[\(number(0...300)),100,\(number(10...300))]")
        case 7: make(device, "haptic", "\"pattern\":\"\(one(["normal", "heavy", "gradual", "multi"]))\"")
        case 8: make(device, "device_name", "\"device_name\":\"tap \(number(0...99))\"")
        default: make(device, "stop", "")
        }
    }

    private mutating func robotOrder(_ device: Fleet.Device) -> Order {
        switch number(0...19) {
        case 0: return nonsense(device)
        case 1...3: return powerOn(device)
        case 4: return make(device, "power", #""power":false"#)
        case 8: return make(device, "stop", "")
        case 9: return make(device, "emergency_stop", "")
        case 10: return make(device, "weapon", #""weapon":true"#)
        case 11: return make(device, "field_offset", "\"field_offset\":\(number(-180...180))")
        default:
            let lease = number(100...1500)
            var order = make(
                device, "drive",
                "\"direction\":\(number(0...359)),\"speed\":\(one(["0.5", "1"])),\"duration_ms\":\(lease)")
            order.lease = lease
            return order
        }
    }

    mutating func powerOn(_ robot: Fleet.Device) -> Order { make(robot, "power", #""power":true"#) }

    private mutating func groupOrder() -> Order {
        let (group, feature, fields) = one([
            ("all/taps", "vibrate", #""durations_ms":[50]"#), ("all/belts", "stop", ""),
            ("all/robots", "stop", ""), ("all/belts", "intensity", #""intensity":60"#),
            ("all/robots", "power", #""power":false"#), ("all/belts", "colour", ""),
        ])
        return Order(target: .group(group), feature: feature, fields: fields, question: question())
    }

    private mutating func request() -> Order {
        let movable = device { $0.isMovable }
        switch number(0...6) {
        case 0: return Order(target: .bridge, feature: "devices", fields: "", question: question())
        case 1: return Order(target: .bridge, feature: "health_check", fields: "", question: question())
        case 2:
            return Order(target: .bridge, feature: "log_level", fields: #""level":"loud""#, question: .id)
        case 3:
            return Order(target: .bridge, feature: "permit_join", fields: #""seconds":1"#, question: .id)
        case 4...5:
            return Order(
                target: .about(movable), feature: one(["connect", "disconnect"]), fields: "",
                question: question())
        default: return Order(target: .bridge, feature: "sing", fields: "", question: question())
        }
    }
}

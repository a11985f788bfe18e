import BridgeContract
import DeviceKit
import JSON

// Adds the topics to the contract, in the order of the reference.
extension Contract {
    /// Adds the messages that all devices have, and the messages of each family.
    mutating func addDeviceMessages(_ families: [any DeviceFamily]) {
        let reports = ReportSchema(references)
        for feature in DeviceFeatures.all {
            guard let report = feature.report, feature.name != DeviceFeatures.resultName else { continue }
            let isFeatures = feature.name == DeviceFeatures.featuresName
            add(
                Message(
                    "device-\(feature.name)", feature, report,
                    isFeatures ? FeatureReference.deviceSchema : reports.schema(report)))
        }
        for family in families {
            for feature in family.features {
                let name = "\(family.name)-\(feature.name)"
                if let report = feature.report { add(Message(name, feature, report, reports.schema(report))) }
                if let command = feature.command { add(Message("\(name)-set", feature, command, references)) }
            }
            addResult(of: family)
        }
    }

    private mutating func addResult(of family: any DeviceFamily) {
        guard let result = DeviceFeatures.all.first(where: { $0.name == DeviceFeatures.resultName }),
            let report = result.report, case .object(let fields) = report.payload
        else { return }
        let answers = family.features.flatMap { $0.command?.answers ?? [] }
        // The schema of `feature` allows any text, because the answer to a command for an unknown feature contains the
        // name that the sender used.
        add(
            Message(
                "\(family.name)-result", result, report,
                ReportSchema(references).answer("feature", [], fields, answers: answers)))
    }

    /// Adds the topics of a device.
    ///
    /// - Parameter place: The name of the device and the prefix of its topics; nil for any device of the family.
    mutating func addDevice(_ place: (name: String, prefix: String)?, _ family: any DeviceFamily) {
        let channel = place?.name.replacing("/", with: "--") ?? family.name
        let topic = place.map { $0.prefix + $0.name } ?? "{device}"
        for feature in DeviceFeatures.all where feature.name != DeviceFeatures.resultName {
            let name = place == nil ? "device-\(feature.name)" : "\(channel)-\(feature.name)"
            guard !channels.contains(where: { $0.name == name }) else { continue }
            add(
                Channel(
                    name: name, address: "\(topic)/\(feature.name)",
                    messages: ["device-\(feature.name)"], report: feature.report?.kind))
        }
        for feature in family.features {
            let name = "\(channel)-\(feature.name)"
            let message = "\(family.name)-\(feature.name)"
            if let report = feature.report {
                add(
                    Channel(
                        name: name, address: "\(topic)/\(feature.name)", messages: [message],
                        report: report.kind))
            }
            guard let command = feature.command else { continue }
            add(
                Channel(
                    name: "\(name)-set", address: "\(topic)/\(feature.name)/set",
                    messages: ["\(message)-set"],
                    isFleeting: command.traits.contains(.fleeting), reply: "\(channel)-result"))
        }
        add(
            Channel(
                name: "\(channel)-result", address: "\(topic)/result", messages: ["\(family.name)-result"],
                report: .event))
    }

    /// Adds the topics of a group: the commands of all its members, and the results of these commands.
    mutating func addGroup(_ topic: String, _ channel: String, _ families: [any DeviceFamily]) {
        var takers: [(feature: String, families: [String])] = []
        for family in families {
            for feature in family.features where feature.command != nil {
                if let index = takers.firstIndex(where: { $0.feature == feature.name }) {
                    takers[index].families.append(family.name)
                } else {
                    takers.append((feature.name, [family.name]))
                }
            }
        }
        for taker in takers
        where !(["all", "zone"].contains(channel) && taker.feature == GroupFeatures.stop.name) {
            add(
                Channel(
                    name: "\(channel)-\(taker.feature)-set", address: "\(topic)/\(taker.feature)/set",
                    messages: taker.families.map { "\($0)-\(taker.feature)-set" }, reply: "\(channel)-result")
            )
        }
        addGroupResult(families)
        add(
            Channel(
                name: "\(channel)-result", address: "\(topic)/result", messages: ["group-result"],
                report: .event))
    }

    private mutating func addGroupResult(_ families: [any DeviceFamily]) {
        guard let report = GroupFeatures.result.report, case .object(var fields) = report.payload else {
            return
        }
        let answers = families.flatMap { $0.features.flatMap { $0.command?.answers ?? [] } }
        let schemas = ReportSchema(references)
        guard let place = fields.firstIndex(where: { $0.name == "members" }),
            case .list(.object(let member), let count) = fields[place].type
        else { return }
        // In the result of a group command, the entry of each member also has the fields of the member's answer.
        let all = ReportSchema.merged(member + DeviceFeatures.commandAnswers + answers)
        fields[place].type = .list(.object(all), count: count)
        add(
            Message(
                "group-result", GroupFeatures.result, report,
                schemas.answer("feature", [], fields, answers: [])))
    }

    /// Adds the topic of the command that stops all devices, or all devices in a zone.
    mutating func addStop(of topic: String, _ channel: String, _ stop: Feature) {
        guard let command = stop.command else { return }
        let (name, result) = ("\(channel)-\(stop.name)-set", "\(channel)-result")
        add(Message(name, stop, command, references))
        add(
            Channel(
                name: name, address: "\(topic)/\(stop.name)/set", messages: [name],
                reply: channels.contains { $0.name == result } ? result : "group-result"))
    }

    /// Adds the topics of a bridge.
    mutating func addBridge(_ id: String, _ families: [any DeviceFamily], _ prefix: String) {
        let reports = ReportSchema(references)
        let place = "\(prefix)bridge/\(id)"
        for feature in BridgeFeatures.reports {
            guard let report = feature.report else { continue }
            let name = "bridge-\(feature.name)"
            add(Message(name, feature, report, reports.schema(report)))
            add(
                Channel(
                    name: name, address: "\(place)/\(feature.name)", messages: [name], report: report.kind))
        }
        add(
            Message(
                "bridge-features", BridgeFeatures.familyFeature, BridgeFeatures.family,
                FeatureReference.familySchema { .object(references.to($0)) }))
        add(
            Channel(
                name: "bridge-features", address: "\(place)/features/{family}", messages: ["bridge-features"],
                report: .state))
        let group = GroupFeatures.state(of: "{group}")
        if let report = group.report {
            add(Message("bridge-group", group, report, reports.schema(report)))
            add(
                Channel(
                    name: "bridge-group", address: "\(place)/\(group.name)", messages: ["bridge-group"],
                    report: .state))
        }
        for (name, feature, topic) in BridgeFeatures.ofFleet {
            guard let report = feature.report else { continue }
            add(Message(name, feature, report, reports.schema(report)))
            add(
                Channel(
                    name: name, address: "\(prefix)\(topic)", messages: [name], report: report.kind))
        }
        for feature in BridgeFeatures.requests(families) {
            guard let command = feature.command else { continue }
            let (request, response) = ("bridge-request-\(feature.name)", "bridge-response-\(feature.name)")
            add(Message(request, feature, command, references))
            add(
                Channel(
                    name: request, address: "\(place)/request/\(feature.name)", messages: [request],
                    reply: response))
            guard case .object(let fields) = BridgeFeatures.response.payload else { continue }
            let answered = Feature(
                feature.name, "The result of \(feature.name).", report: BridgeFeatures.response)
            var message = Message(
                response, answered, BridgeFeatures.response,
                reports.answer("request", [feature.name], fields, answers: command.answers))
            message.examples = [Self.example(feature.name)]
            add(message)
            add(
                Channel(
                    name: response, address: "\(place)/response/\(feature.name)", messages: [response],
                    report: .event))
        }
    }

    /// Returns an example of an error that every request can return.
    private static func example(_ request: String) -> JSON.Value {
        [
            "request": .string(request), "status": "error", "code": "rate_limited",
            "message": "at most 10 requests a second are accepted", "time": "2026-01-31T12:00:00.000Z",
        ]
    }
}

package import DeviceKit

extension BridgeFeatures {
    /// A request to a bridge.
    ///
    /// For a new case, the compiler requires its declaration and roles here, and its effect in `Bridge.carryOut`.
    package enum Request: String, Hashable, Sendable, CaseIterable {
        case permitJoin = "permit_join"
        case forget, rename, connect, disconnect, pair
        case logLevel = "log_level"
        case reload, scan, drain, undrain, record, backup, restore
        case healthCheck = "health_check"
        case pattern
        case lastReport = "last_report"
        case devices, defaults

        /// A role in the broker's access list that may send requests. No other role may send a request.
        package enum Sender: Hashable, Sendable { case `operator`, admin, recorder, restorer }

        package var senders: Set<Sender> {
            switch self {
            case .permitJoin, .forget, .rename, .connect, .disconnect, .pair, .logLevel, .reload, .scan,
                .healthCheck,
                .pattern, .lastReport, .devices, .defaults:
                [.operator]
            case .backup: [.operator, .restorer]
            case .restore: [.restorer]
            case .record: [.recorder]
            case .drain, .undrain: [.admin]
            }
        }

        /// Returns the declaration of the request's fields and answers; nil if no family supports the request.
        func declaration(_ families: [any DeviceFamily]) -> Feature? {
            switch self {
            case .permitJoin: BridgeFeatures.permitJoin(families).feature
            case .forget: BridgeFeatures.forget.feature
            case .rename: BridgeFeatures.rename.feature
            case .connect: BridgeFeatures.connect.feature
            case .disconnect: BridgeFeatures.disconnect.feature
            case .pair: BridgeFeatures.pair.feature
            case .logLevel: BridgeFeatures.logLevel.feature
            case .reload: BridgeFeatures.reload.feature
            case .scan: BridgeFeatures.scan.feature
            case .drain: BridgeFeatures.drain.feature
            case .undrain: BridgeFeatures.undrain.feature
            case .record: BridgeFeatures.record.feature
            case .backup: BridgeFeatures.backup.feature
            case .restore: restoreRequest
            case .healthCheck: BridgeFeatures.healthCheck.feature
            case .pattern: patternRequest(families)
            case .lastReport: BridgeFeatures.lastReport.feature
            case .devices: devicesRequest.feature
            case .defaults: defaultsRequest(families)
            }
        }
    }

    package static func requests(_ families: [any DeviceFamily]) -> [Feature] {
        Request.allCases.compactMap { $0.declaration(families) }
    }
}

extension Feature {
    init(
        _ request: BridgeFeatures.Request, _ summary: String, command: Command, shown: [Presentation] = []
    ) {
        self.init(request.rawValue, summary, command: command, shown: shown)
    }
}

extension FeatureHandle where Value == Never {
    /// Declares a request with its fields and answers.
    init(
        _ request: BridgeFeatures.Request, _ summary: String, takes: Taking<Asked>,
        shown: (Names) -> [Presentation] = { _ in [] }
    ) {
        self.init(request.rawValue, summary, takes: takes, shown: shown)
    }
}

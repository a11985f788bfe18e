package import BridgeContract
package import Messages

/// Collects the metrics for Prometheus.
///
/// Counters that the bridge maintains are read at each request, so they equal the counters on the topic
/// `bridge/<bridge>/stats`. Durations are recorded through swift-metrics where they occur.
package struct MetricsCollector: Sendable {
    let id: String
    let version: String
    /// The metrics that were recorded through swift-metrics.
    let store: MetricsStore
    let bridge: @Sendable () async -> BridgeFigures
    let broker: @Sendable () async -> BrokerStatistics
    /// Returns how many days are left until the certificates of the broker connection end.
    let certificates: @Sendable () async -> [(name: String, days: Int)]
    /// Returns the state of each Bluetooth proxy.
    let proxies: @Sendable () async -> [ProxyFigures]

    package init(
        id: String, version: String, store: MetricsStore,
        bridge: @escaping @Sendable () async -> BridgeFigures,
        broker: @escaping @Sendable () async -> BrokerStatistics,
        certificates: @escaping @Sendable () async -> [(name: String, days: Int)] = { [] },
        proxies: @escaping @Sendable () async -> [ProxyFigures] = { [] }
    ) {
        self.id = id
        self.version = version
        self.store = store
        self.bridge = bridge
        self.broker = broker
        self.certificates = certificates
        self.proxies = proxies
    }

    /// All metrics in Prometheus' text format.
    package func text() async -> String {
        var families = Self.families(await bridge(), id: id, version: version)
        families += Self.families(await broker())
        families.append(Self.family(certificates: await certificates()))
        families += Self.families(await proxies())
        families += store.families(
            help: Dictionary(uniqueKeysWithValues: RecordedMetric.all.map { ($0.name, $0.help) }))
        families += ProcessFigures.current?.families ?? []
        return families.map(\.text).joined()
    }

    // MARK: The bridge and its devices

    package static func families(_ figures: BridgeFigures, id: String, version: String) -> [MetricFamily] {
        var build = MetricFamily("tactile_bridge_build_info", .gauge, "The program; always 1.", 1)
        build.samples[0].labels = [
            .init(name: "bridge", value: id), .init(name: "version", value: version),
        ]
        return [
            build,
            MetricFamily(
                "tactile_bridge_broker_connected", .gauge, "Whether there is a connection to the broker.",
                figures.isBrokerConnected ? 1 : 0),
            MetricFamily(
                "tactile_bridge_bluetooth_adapters", .gauge, "How many Bluetooth adapters are ready.",
                Double(figures.adapters)),
            MetricFamily(
                "tactile_bridge_guardian_running", .gauge,
                "Whether a guardian runs; without a guardian, robots accept no commands that move them.",
                figures.isGuardianRunning ? 1 : 0),
            MetricFamily(
                "tactile_bridge_mqtt_refused_topics", .gauge,
                "How many topics the broker has refused since the last connection.",
                Double(figures.refusedTopics)),
        ] + fleetFamilies(figures) + deviceFamilies(figures.devices)
    }

    private static func fleetFamilies(_ figures: BridgeFigures) -> [MetricFamily] {
        let fleet = figures.fleet
        return [
            MetricFamily(
                name: "tactile_bridge_fleet_hand_overs_total",
                help: "Devices taken over from another bridge, by cause.", kind: .counter,
                samples: fleet.handOversByReason.map {
                    .init(labels: [.init(name: "reason", value: $0.reason)], value: Double($0.count))
                }),
            MetricFamily(
                "tactile_bridge_fleet_offers_total", .counter,
                "Offers to connect that were published to other bridges.", Double(fleet.offers)),
            MetricFamily(
                "tactile_bridge_fleet_conflicts_total", .counter,
                "How often another bridge claimed a link that this bridge had.", Double(fleet.conflicts)),
            MetricFamily(
                "tactile_bridge_fleet_orphans", .gauge,
                "Devices without a bridge, which this bridge reports as offline.", Double(figures.orphans)),
        ]
    }

    private static func deviceFamilies(_ devices: [BridgeFigures.Device]) -> [MetricFamily] {
        /// - Parameter label: The name of a second label, which distinguishes several values of the same device; nil if
        ///   each device has only one value.
        func family(
            _ name: String, _ kind: MetricFamily.Kind, _ help: String, by label: String? = nil,
            _ figures: (BridgeFigures.Device) -> [(word: String, value: Int)]
        ) -> MetricFamily {
            let samples = devices.flatMap { device in
                figures(device).map { figure in
                    let own = label.map { [MetricFamily.Sample.Label(name: $0, value: figure.word)] } ?? []
                    return MetricFamily.Sample(
                        labels: [
                            .init(name: "device", value: device.name),
                            .init(name: "family", value: device.family),
                        ] + own, value: Double(figure.value))
                }
            }
            return MetricFamily(
                name: "tactile_bridge_device_\(name)", help: help, kind: kind, samples: samples)
        }
        return [
            family("connected", .gauge, "Whether the device is online.") { [("", $0.isOnline ? 1 : 0)] },
            family("signal_dbm", .gauge, "The last signal strength of the device.") {
                $0.signal.map { [("", $0)] } ?? []
            },
            family("links_total", .counter, "Links that were established.") { [("", $0.counters.links)] },
            family("notifications_total", .counter, "Notifications from the device.") {
                [("", $0.counters.notifications)]
            },
            family("writes_total", .counter, "Writes to the device.", by: "result") {
                [("ok", $0.counters.writes.done), ("failed", $0.counters.writes.failed)]
            },
            family("commands_total", .counter, "Commands that were answered.", by: "result") {
                [("ok", $0.counters.commands.done), ("failed", $0.counters.commands.failed)]
            },
            family("messages_total", .counter, "Messages published for the device.", by: "kind") {
                let messages = $0.counters.messages
                return [
                    ("state", messages.states), ("event", messages.events), ("stream", messages.streams),
                ]
            },
            family(
                "counted_total", .counter, "Counters of the device's family by name, such as stops.",
                by: "what"
            ) { $0.counters.named.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } },
        ]
    }

    package static func families(_ proxies: [ProxyFigures]) -> [MetricFamily] {
        func family(
            _ name: String, _ kind: MetricFamily.Kind, _ help: String, _ figure: (ProxyFigures) -> Int?
        ) -> MetricFamily {
            let samples = proxies.compactMap { proxy in
                figure(proxy).map {
                    MetricFamily.Sample(
                        labels: [.init(name: "adapter", value: proxy.name)], value: Double($0))
                }
            }
            return MetricFamily(
                name: "tactile_bridge_proxy_\(name)", help: help, kind: kind, samples: samples)
        }
        return [
            family("connected", .gauge, "Whether the bridge can use the Bluetooth proxy.") {
                $0.freeSlots == nil ? 0 : 1
            },
            family("free_slots", .gauge, "How many further links the Bluetooth proxy supports.") {
                $0.freeSlots
            },
            family(
                "advertisements_total", .counter, "Advertisements that the Bluetooth proxy has delivered."
            ) { $0.advertisements },
        ]
    }

    // MARK: The broker

    package static func family(certificates: [(name: String, days: Int)]) -> MetricFamily {
        MetricFamily(
            name: "tactile_bridge_mqtt_certificate_days",
            help:
                "Whole days until a certificate of the broker connection ends, negative after its end: the broker's, "
                + "of mqtt.tls.ca_file the one that ends last, of mqtt.tls.certificate_file the one that ends first.",
            kind: .gauge,
            samples: certificates.map {
                .init(labels: [.init(name: "certificate", value: $0.name)], value: Double($0.days))
            })
    }

    package static func families(_ statistics: BrokerStatistics) -> [MetricFamily] {
        func family(
            _ name: String, _ kind: MetricFamily.Kind, _ help: String, _ value: Int
        ) -> MetricFamily {
            MetricFamily("tactile_bridge_mqtt_\(name)", kind, help, Double(value))
        }
        let dropped = statistics.dropped
        return [
            family("received_messages_total", .counter, "Messages that arrived.", statistics.received),
            family("sent_messages_total", .counter, "Messages that were sent.", statistics.sent),
            family(
                "acknowledged_messages_total", .counter, "Messages that the broker acknowledged.",
                statistics.acknowledged),
            family(
                "repeated_messages_total", .counter,
                "Messages that were sent again after a lost connection.", statistics.repeated),
            MetricFamily(
                "tactile_bridge_mqtt_dropped_messages_total", .counter,
                "Messages that were lost: events with the queue full, streams with the broker slow or unreachable, "
                    + "replies to a connection that had ended, messages that the broker refused.",
                by: "kind",
                [
                    "event": dropped.events, "refused": dropped.refused,
                    "reply": dropped.replies, "stream": dropped.streams,
                ]),
            family(
                "queued_messages", .gauge, "Messages that wait for the broker.", statistics.queueDepth),
            family(
                "unacknowledged_messages", .gauge, "Messages that the broker has not acknowledged yet.",
                statistics.inFlight),
            family(
                "reconnects_total", .counter, "Reconnects to the broker.", statistics.reconnects),
        ]
    }
}

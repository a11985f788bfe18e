import Glibc

/// Makes a ``TestBroker`` refuse subscriptions and grant them later, while its clients stay connected.
///
/// Mosquitto's access list cannot do this: it grants every subscription and withholds the messages (2.0.11). Its
/// dynamic security plugin answers with 0x87.
public final class SubscriptionRules: Sendable {
    /// The lines for the broker's configuration.
    public let lines: [String]
    private let folder: TemporaryDirectory

    /// Writes rules that grant only these filters, until ``grantAll(at:)``.
    ///
    /// - Parameters:
    ///   - filters: Filters that are granted exactly.
    ///   - prefixes: Levels below which every filter is granted.
    public init(filters: [String], below prefixes: [String]) throws {
        folder = try TemporaryDirectory()
        let rules =
            filters.map { rule("subscribeLiteral", $0) }
            + (prefixes.map { "\($0)/#" }).map { rule("subscribePattern", $0) }
            + [rule("publishClientSend", "$CONTROL/#")]
        func rule(_ kind: String, _ topic: String) -> String {
            #"{"acltype":"\#(kind)","topic":"\#(topic)","allow":true}"#
        }
        let file = try folder.write(
            """
            {"defaultACLAccess":{"publishClientSend":true,"publishClientReceive":true,"subscribe":false,"unsubscribe":true},
            "clients":[],"groups":[{"groupname":"all","roles":[{"rolename":"all"}],"clients":[]}],
            "roles":[{"rolename":"all","acls":[\(rules.joined(separator: ","))]}],"anonymousGroup":"all"}
            """, to: "rules.json")
        lines = ["plugin \(try Self.plugin)", "plugin_opt_config_file \(file)"]
    }

    /// Grants every subscription from now on; clients have to retry refused subscriptions.
    public func grantAll(at broker: TestBroker) throws {
        let command =
            #"{"commands":[{"command":"setDefaultACLAccess","acls":[{"acltype":"subscribe","allow":true}]}]}"#
        try TestProcess.run(
            ["mosquitto_pub"] + broker.arguments
                + ["-q", "1", "-t", "$CONTROL/dynamic-security/v1", "-m", command])
    }

    /// The plugin's path, which depends on the distribution.
    private static var plugin: String {
        get throws {
            let folders = ["x86_64-linux-gnu", "aarch64-linux-gnu", "arm-linux-gnueabihf"].map {
                "/usr/lib/\($0)"
            }
            let files = (folders + ["/usr/lib64", "/usr/lib"]).map { "\($0)/mosquitto_dynamic_security.so" }
            guard let file = files.first(where: { access($0, F_OK) == 0 }) else {
                throw TestProcess.Failure(
                    description: "no mosquitto_dynamic_security.so in \(files.joined(separator: " "))")
            }
            return file
        }
    }
}

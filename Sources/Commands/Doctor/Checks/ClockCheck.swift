import DeviceKit

/// The state of the clock, and whether it is synchronized.
struct ClockFacts: Hashable, Sendable {
    var now: TimeStamp
    /// The modification time of this program's file; nil if it is unknown.
    var built: TimeStamp?
    /// Whether the kernel considers the clock synchronized; nil if it does not report that.
    var isSynchronised: Bool?

    var findings: [Finding] {
        if let built, now < built {
            return [
                .problem(
                    .clock,
                    "the clock shows \(now), but this program was built at \(built): TLS certificates count as "
                        + "not valid yet, and commands with \"expires\" never expire",
                    [
                        "sudo timedatectl set-ntp true",
                        "sudo timedatectl set-time 'YYYY-MM-DD HH:MM:SS'   # without a network",
                    ])
            ]
        }
        switch isSynchronised {
        case true?: return [.ok(.clock, "\(now), synchronized")]
        case nil: return [.ok(.clock, "\(now); this machine does not report whether it is synchronized")]
        case false?:
            return [
                .warning(
                    .clock,
                    "\(now), without synchronization: if it differs from the sender's clock, commands with "
                        + "\"expires\" are refused as expired, and \"at\" means a different time on each host",
                    [
                        "sudo timedatectl set-ntp true",
                        "sudo apt install systemd-timesyncd   # if that is missing",
                    ])
            ]
        }
    }
}

import DeviceKit

/// What the clock says, and whether it is synchronized.
struct ClockFacts: Hashable, Sendable {
    /// The calendar's time.
    var now: TimeStamp
    /// When this program's file was made; nil where the file does not tell.
    var built: TimeStamp?
    /// Whether the kernel takes the clock for synchronised; nil where it does not tell.
    var isSynchronised: Bool?

    var findings: [Finding] {
        if let built, now < built {
            return [
                .problem(
                    .clock,
                    "the clock says \(now), but this program was made at \(built): certificates of TLS count as "
                        + "not valid yet, and commands with \"expires\" never expire",
                    [
                        "sudo timedatectl set-ntp true",
                        "sudo timedatectl set-time 'YYYY-MM-DD HH:MM:SS'   # without a network",
                    ])
            ]
        }
        switch isSynchronised {
        case true?: return [.ok(.clock, "\(now), synchronised")]
        case nil: return [.ok(.clock, "\(now); whether it is synchronised, this machine does not tell")]
        case false?:
            return [
                .warning(
                    .clock,
                    "\(now), which no time service keeps right: where it differs from the sender's clock, commands with "
                        + "\"expires\" are refused as expired, and \"at\" means another moment on each host",
                    [
                        "sudo timedatectl set-ntp true",
                        "sudo apt install systemd-timesyncd   # if that is missing",
                    ])
            ]
        }
    }
}

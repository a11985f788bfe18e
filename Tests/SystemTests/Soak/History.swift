/// The events of each device and of all devices, to find the cause of a missing message.
struct History {
    private var entries: [(at: Duration, device: String?, what: String)] = []

    /// Records an event of a device, or of all devices if `device` is nil.
    mutating func note(_ what: String, of device: String? = nil, at time: Duration) {
        entries.append((time, device, what))
    }

    /// The events of a device shortly before and after a moment, one per line.
    func around(_ moment: Duration, of device: String) -> [String] {
        entries.filter {
            ($0.device ?? device) == device && $0.at > moment - .seconds(10) && $0.at < moment + .seconds(3)
        }.map { "\($0.at): \($0.device ?? "all"): \($0.what)" }
    }
}

/// What happened to each device and to all of them, for the search for a missing message.
struct History {
    private var entries: [(at: Duration, device: String?, what: String)] = []

    /// Notes what happened to a device, or to all of them.
    mutating func note(_ what: String, of device: String? = nil, at time: Duration) {
        entries.append((time, device, what))
    }

    /// What happened to a device not long before a moment and just after it, line by line.
    func around(_ moment: Duration, of device: String) -> [String] {
        entries.filter {
            ($0.device ?? device) == device && $0.at > moment - .seconds(10) && $0.at < moment + .seconds(3)
        }.map { "\($0.at): \($0.device ?? "all"): \($0.what)" }
    }
}

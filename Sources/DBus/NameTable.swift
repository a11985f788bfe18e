/// The owners of the well-known names that match rules have as their sender. They are needed because a received signal
/// contains only the unique name of its sender.
struct NameTable {
    private struct Entry {
        var users = 0
        var owner: String?
    }

    private var entries: [String: Entry] = [:]

    /// Counts a match rule with this name as its sender; returns whether it is the first rule with this name.
    mutating func add(_ name: String) -> Bool {
        entries[name, default: Entry()].users += 1
        return entries[name]?.users == 1
    }

    /// Stops counting a match rule with this name as its sender; returns whether it was the last rule with this name.
    mutating func remove(_ name: String) -> Bool {
        guard var entry = entries[name] else { return false }
        entry.users -= 1
        entries[name] = entry.users == 0 ? nil : entry
        return entry.users == 0
    }

    mutating func setOwner(of name: String, to owner: String?) {
        entries[name]?.owner = owner
    }

    func owner(of name: String) -> String? { entries[name]?.owner }
}

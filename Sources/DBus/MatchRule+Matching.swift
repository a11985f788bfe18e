import CDBus

extension MatchRule {
    /// Whether a signal matches, given the owners of well-known names.
    ///
    /// The bus delivers a signal to a connection if it matches any rule of the connection, so each rule has to be
    /// checked again.
    ///
    /// - Parameters:
    ///   - signal: The signal's interface and member, read once for all rules. Most rules can be excluded by them.
    ///   - followedName: The value of ``followedName``.
    func matches(
        _ message: IncomingMessage, _ signal: SignalName, _ names: NameTable, followedName: String?
    ) -> Bool {
        if let member, !UTF8Text.equal(signal.member, member) { return false }
        if let interface, !UTF8Text.equal(signal.interface, interface) { return false }
        let handle = message.handle
        if let path, !UTF8Text.equal(dbus_message_get_path(handle), path.description) { return false }
        if let pathNamespace, pathNamespace != .root {
            guard let path = dbus_message_get_path(handle),
                UTF8Text.isInside(path, pathNamespace.description, separator: "/")
            else { return false }
        }
        if let sender {
            let unique = followedName.map { names.owner(of: $0) } ?? sender
            guard let unique, UTF8Text.equal(dbus_message_get_sender(handle), unique) else { return false }
        }
        guard !arguments.isEmpty || firstArgumentNamespace != nil else { return true }
        return matchesArguments(message)
    }

    private func matchesArguments(_ message: IncomingMessage) -> Bool {
        var reader = message.reader()
        var remaining = arguments.count
        var number = 0
        while !reader.isAtEnd {
            if number == 0, let firstArgumentNamespace {
                var first = reader
                guard let text = try? first.string(),
                    text == firstArgumentNamespace || text.hasPrefix(firstArgumentNamespace + ".")
                else { return false }
            }
            if let wanted = arguments[number] {
                guard let isEqual = try? reader.string(is: wanted), isEqual else { return false }
                remaining -= 1
            } else {
                reader.skip()
            }
            number += 1
        }
        return remaining == 0 && (firstArgumentNamespace == nil || number > 0)
    }
}

package import Bluetooth

/// A version of BlueZ such as 5.66; 5.9 precedes 5.10.
package struct Version: Comparable, Hashable, Sendable {
    package var major: Int
    package var minor: Int

    package init(_ major: Int, _ minor: Int) { (self.major, self.minor) = (major, minor) }

    /// Parses `5.66`; ignores what follows a second dot.
    package init?(_ text: String) {
        let parts = text.split(separator: ".").map { Int($0) }
        guard parts.count >= 2, let major = parts[0], let minor = parts[1] else { return nil }
        self.init(major, minor)
    }

    package static func < (left: Version, right: Version) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    /// The newest version in which bluetoothd can crash when a link with acquired notifications ends.
    ///
    /// github.com/bluez/bluez/pull/1376 of 2025-06: use after free when a link ends during AcquireNotify.
    /// github.com/bluez/bluez/issues/1781, seen with 5.66 and 5.85, fixed by pull request 1780 of 2026-01.
    package static let lastUnsafeToAcquire = Version(5, 85)
}

extension Acquisition {
    /// Returns whether notifications arrive through sockets with a version of BlueZ; `version` is nil if unknown.
    package func applies(to version: String?) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .automatic: version.flatMap { Version($0) }.map { $0 > .lastUnsafeToAcquire } ?? false
        }
    }
}

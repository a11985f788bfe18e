import ESPHome
import VirtualDevices

/// A live line about the proxy itself.
enum ProxyLine: Hashable {
    case wifi(Bool)
    case reboot
    /// The delay of each message.
    case slow(Duration)
    case mistake(String)

    /// The allowed lines, for errors.
    static let expected = "proxy wifi off, proxy wifi on, proxy reboot, proxy slow 0 to 10000 (ms)"

    /// Parses a line that starts with `proxy`; nil for any other line.
    init?(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        guard words.first == "proxy" else { return nil }
        switch words.dropFirst() {
        case ["wifi", "off"]: self = .wifi(false)
        case ["wifi", "on"]: self = .wifi(true)
        case ["reboot"]: self = .reboot
        default:
            if words.count == 3, words[1] == "slow", let delay = Int(words[2]), (0...10_000).contains(delay) {
                self = .slow(.milliseconds(delay))
            } else {
                self = .mistake("'\(line)' is not understood; a proxy accepts: \(Self.expected)")
            }
        }
    }
}

extension Proxy {
    mutating func perform(_ line: ProxyLine) {
        switch line {
        case .wifi(let isOn): setWiFi(isOn)
        case .reboot:
            guard isReachable, !waits.isSet(.restart) else { return complain("the proxy is already offline") }
            for client in clients.keys.sorted() { send(.disconnect(Disconnect()), to: client) }
            waits.set(.restart, at: now + options.restartDelay)
        case .slow(let delay): outputs.append(.delay(delay))
        case .mistake(let message): complain(message)
        }
    }

    /// Without Wi-Fi, the proxy drops its clients, who are not informed, and with the subscriber all connections.
    private mutating func setWiFi(_ isOn: Bool) {
        guard isOn != isReachable, !waits.isSet(.booted) else {
            return complain(
                isOn ? "Wi-Fi is available, or the proxy restarts" : "the proxy is already offline")
        }
        setReachable(isOn)
    }

    private mutating func setReachable(_ isOn: Bool) {
        isReachable = isOn
        if !isOn {
            for client in clients.keys.sorted() {
                outputs.append(.abandon(client))
                forget(client)
            }
        }
        outputs.append(.reachable(isOn))
    }

    /// Restarts: connections to devices end at their supervision timeout, because nobody closes them.
    mutating func restart() {
        air.setFrozen(true, Self.hostName, at: now)
        for address in links.keys {
            for wait in [
                Wait.opened(address), .openTimeout(address), .supervision(address), .pairing(address),
            ] {
                waits.cancel(wait)
            }
        }
        (links, queue, requests, scannerMode) = ([:], [], [:], 1)
        for client in clients.keys.sorted() { close(client) }
        if isReachable { setReachable(false) }
        waits.set(.booted, at: now + options.bootTime)
    }

    mutating func booted() {
        air.setFrozen(false, Self.hostName, at: now)
        setReachable(true)
    }

    private mutating func complain(_ message: String) {
        air.complain(message)
        for output in air.advance(to: now, for: 0) { take(output) }
    }
}

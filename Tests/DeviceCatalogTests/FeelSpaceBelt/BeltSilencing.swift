import DeviceKit
import Testing
import VirtualDevices

@testable import DeviceCatalog

/// The commanded vibrations.
enum BeltFeltKind: String, CaseIterable, Sendable {
    case vibrate = #"vibrate {"channel":0,"motor":6,"iterations":6,"period_ms":1000}"#
    case longest = #"vibrate {"channel":0,"motor":6,"iterations":127,"period_ms":65535}"#
    case pulse =
        #"pulse {"channel":0,"motor":6,"on_ms":400,"pulses":9,"iterations":127,"pulse_period_ms":500}"#
    case direction = #"notify {"kind":"direction","direction":135}"#
    case warning = "notify warning"
    case criticalWarning = "notify critical_warning"
    case pattern = #"haptic {"events":[{"kind":"continuous","duration":20}],"motor":6}"#
    case intoAppMode = #"vibrate {"channel":3,"motor":6,"enter_app_mode":true}"#
    case navigation = "navigation 135"
    case signal = "signal warning"
    case destination = "notify destination_reached"
    case battery = "notify battery"

    /// Whether it is a system signal, whose channel the protocol does not specify.
    var isSystemSignal: Bool { [.signal, .destination, .battery].contains(self) }
    /// Whether it switches the belt to app mode.
    var needsAppMode: Bool { [.intoAppMode, .navigation].contains(self) }
}

/// The causes that stop vibrations.
enum BeltStopKind: String, CaseIterable, Sendable {
    case stopAll = "stop all"
    case stopEmpty = "stop "
    case allStop
    case shutdown
    case suspend
    case death
}

/// Shared parts of tests about silence: a virtual belt that vibrates, and the causes that stop it.
protocol BeltSilencing {}

extension BeltSilencing {
    static var modes: [BeltMode] { [.wait, .compass, .crossing, .pause, .app] }

    /// Returns a belt in a mode, with a commanded vibration.
    func couple(
        _ mode: BeltMode, _ kind: BeltFeltKind, _ choices: VirtualBelt.Choices = .init()
    ) -> BeltCouple {
        var choices = choices
        choices.waitSignalPeriod = nil
        var couple = BeltCouple.connected(choices)
        if mode == .app { couple.command("mode", "app") } else { couple.act("mode \(mode.name)") }
        #expect(couple.mode == mode.name)
        let words = kind.rawValue.split(separator: " ", maxSplits: 1).map { String($0) }
        couple.command(words[0], words[1], run: .milliseconds(200))
        return couple
    }

    /// Returns the motors of the belt's own vibration in its mode.
    func own(_ couple: BeltCouple) -> [Int] {
        ["compass", "crossing"].contains(couple.beltMode) ? [0] : []
    }

    func commit(_ cause: BeltStopKind, _ couple: inout BeltCouple) {
        switch cause {
        case .stopAll: couple.command("stop", "all", run: .milliseconds(100))
        case .stopEmpty: couple.command("stop", "", run: .milliseconds(100))
        case .allStop: couple.stop(.allStop, run: .milliseconds(100))
        case .shutdown: couple.shutDown()
        case .suspend: couple.stop(.suspend, run: .milliseconds(100))
        case .death: couple.die()
        }
    }
}

extension VirtualBelt {
    /// One iteration of the pattern without vibration on channel 0, as 18 bytes.
    static let silence = bytes("00 00 00 00 00 00 01 00 00 00 00 01 01 00 00 00 00 00")
}

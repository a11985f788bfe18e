import DeviceKit
import HostTesting
import Testing
import VirtualDevices

@testable import DeviceCatalog

@Suite("A belt over a Bluetooth proxy is silent soon after the bridge froze")
struct BeltProxyPropertyTests {
    /// Commands that make a belt vibrate for any time, allowed over a proxy or not.
    private static let commands: [(String, String)] = [
        ("mode", "app"), ("mode", "app"), ("mode", "wait"), ("mode", "compass"), ("mode", "crossing"),
        ("navigation", "90"), ("navigation", "start"),
        ("navigation", #"{"state":"navigating","direction":5}"#),
        ("notify", "warning"), ("notify", "critical_warning"), ("notify", "battery"), ("signal", "warning"),
        ("haptic", "heavy"), ("haptic", "gradual"), ("haptic", #"{"pattern":"heavy","repeat":100}"#),
        ("haptic", #"{"events":[{"kind":"continuous","duration":5}]}"#), ("haptic", "stop"),
        ("haptic", #"{"events":[{"kind":"continuous","duration":30}]}"#), ("stop", "all"),
        ("intensity", "60"),
        ("gatt", #"{"characteristic":"FE03","hex":"0201AAAA0000035A00000000F40100000000"}"#),
        ("gatt", #"{"characteristic":"FE05","hex":"01810200"}"#),
    ]

    private static func vibration(_ dice: inout RandomSource) -> (String, String) {
        let channel = Int.random(in: 0...5, using: &dice)
        let iterations = Bool.random(using: &dice) ? "\(Int.random(in: 1...20, using: &dice))" : "null"
        let period = Int.random(in: 1...6000, using: &dice)
        let isExclusive = Int.random(in: 0..<4, using: &dice) == 0
        let shared =
            #""channel":\#(channel),"direction":90,"iterations":\#(iterations),"exclusive":\#(isExclusive)"#
        return Bool.random(using: &dice)
            ? ("vibrate", #"{\#(shared),"period_ms":\#(period),"enter_app_mode":true}"#)
            : ("pulse", #"{\#(shared),"series_period_ms":\#(period),"enter_app_mode":true}"#)
    }

    /// Sends random commands, freezes the bridge, and returns the motors that run 5 s later.
    private func felt(seed: Int, isOverProxy: Bool) -> [Int] {
        var dice = RandomSource(seed: UInt64(seed))
        var couple = BeltCouple()
        couple.connect(isOverProxy: isOverProxy)
        for _ in 0..<12 {
            let random = Self.vibration(&dice)
            let (feature, payload) =
                Bool.random(using: &dice) ? random : Self.commands.randomElement(using: &dice) ?? random
            couple.command(feature, payload, run: .milliseconds(Int.random(in: 0...1200, using: &dice)))
            if Int.random(in: 0..<8, using: &dice) == 0 {
                couple.act(Bool.random(using: &dice) ? "press home" : "press pause")
            }
        }
        couple.freeze()
        couple.run(.milliseconds(5001))
        return couple.felt
    }

    @Test("Whatever was commanded, no motor runs 5 s after the last write", arguments: 0..<40)
    func frozen(seed: Int) { #expect(felt(seed: seed, isOverProxy: true) == []) }

    @Test("Without a proxy, some of the same commands leave the belt vibrating")
    func local() { #expect((0..<40).contains { felt(seed: $0, isOverProxy: false) != [] }) }
}

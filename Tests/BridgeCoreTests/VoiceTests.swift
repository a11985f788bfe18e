import Bluetooth
import Testing

@testable import BridgeCore

@Suite("Who speaks for a device")
struct VoiceTests {
    /// How this bridge stands when a claim arrives.
    enum Standing: String, Sendable { case unknown, assumed, linked, other }

    struct Row: Sendable, CustomTestStringConvertible {
        var standing: Standing
        var isListening: Bool
        var isSameDevice: Bool
        var isConnected: Bool
        /// Whether the other one's id or address is the lower one.
        var isLower: Bool
        var reaction: Voice.Reaction
        var isOurs: Bool
        var testDescription: String {
            "\(standing.rawValue) \(isListening ? "stored" : "live") \(isSameDevice ? "device" : "name") "
                + "\(isConnected ? "connected" : "not") \(isLower ? "lower" : "higher")"
        }
    }

    private static func row(
        _ standing: Standing, stored: Bool = false, device: Bool, connected: Bool, lower: Bool = true,
        _ reaction: Voice.Reaction, ours: Bool
    ) -> Row {
        Row(
            standing: standing, isListening: stored, isSameDevice: device, isConnected: connected,
            isLower: lower, reaction: reaction, isOurs: ours)
    }

    private static let rows: [Row] = [
        // The same device: a link decides, and of two the newer one.
        row(.unknown, stored: true, device: true, connected: true, .fallSilent, ours: false),
        row(.unknown, stored: true, device: true, connected: false, .fallSilent, ours: false),
        row(.unknown, device: true, connected: false, lower: false, .fallSilent, ours: false),
        row(.assumed, device: true, connected: true, .fallSilent, ours: false),
        row(.assumed, device: true, connected: false, .fallSilent, ours: false),
        row(.assumed, device: true, connected: false, lower: false, .speakAgain, ours: true),
        row(.assumed, stored: true, device: true, connected: false, lower: false, .fallSilent, ours: false),
        row(.linked, device: true, connected: true, .fallSilent, ours: false),
        row(.linked, stored: true, device: true, connected: true, .speakAgain, ours: true),
        row(.linked, device: true, connected: false, .speakAgain, ours: true),
        row(.other, device: true, connected: true, .nothing, ours: false),
        row(.other, device: true, connected: false, .nothing, ours: false),
        // Another device of that name.
        row(.unknown, stored: true, device: false, connected: false, lower: false, .giveUpName, ours: false),
        row(.unknown, device: false, connected: true, lower: false, .giveUpName, ours: false),
        row(.assumed, device: false, connected: true, lower: false, .giveUpName, ours: true),
        row(.assumed, device: false, connected: false, lower: true, .giveUpName, ours: true),
        row(.assumed, device: false, connected: false, lower: false, .speakAgain, ours: true),
        row(.linked, device: false, connected: false, lower: true, .speakAgain, ours: true),
        row(.linked, device: false, connected: true, lower: true, .giveUpName, ours: true),
        row(.linked, device: false, connected: true, lower: false, .speakAgain, ours: true),
        row(.linked, stored: true, device: false, connected: true, lower: true, .speakAgain, ours: true),
    ]

    @Test("A claim is met as the rule has it", arguments: rows)
    func claim(_ row: Row) {
        var voice = Voice(bridge: "m", address: "00:00:00:00:00:50")
        switch row.standing {
        case .unknown: break
        case .assumed: _ = voice.settle()
        case .linked: _ = voice.linked()
        case .other:
            _ = voice.heard(
                Voice.Claim(bridge: "z", address: voice.address, isConnected: true), isLinked: false)
        }
        if row.isListening { voice.listen() }
        let claim = Voice.Claim(
            bridge: row.isLower ? "a" : "z",
            address: row.isSameDevice
                ? voice.address : row.isLower ? "00:00:00:00:00:01" : "00:00:00:00:00:99",
            isConnected: row.isConnected)
        #expect(voice.heard(claim, isLinked: row.standing == .linked) == row.reaction)
        #expect(voice.isOurs == row.isOurs)
    }

    @Test("Whoever hears nobody else speaks; whoever gets the link speaks in any case")
    func begins() {
        var voice = Voice(bridge: "m", address: "00:00:00:00:00:50")
        #expect(voice.isUnknown)
        voice.listen()
        let first = voice.settle()
        let second = voice.settle()
        #expect(first && !second)
        let claim = Voice.Claim(bridge: "z", address: voice.address, isConnected: true)
        #expect(voice.heard(claim, isLinked: false) == .fallSilent)
        #expect(voice.heard(claim, isLinked: false) == .nothing)
        let begins = voice.linked()
        #expect(begins && voice.isOurs)
    }
}

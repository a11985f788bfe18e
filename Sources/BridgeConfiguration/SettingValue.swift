import Bluetooth
import BridgeContract
import DeviceKit
import HostServices
import JSON
import Logging

/// A type of a property of ``Settings``, with the conversion from and to the values of the configuration.
protocol SettingValue: SendableMetatype {
    /// Converts a checked value; nil leaves the property unchanged.
    static func read(_ value: JSON.Value) -> Self?
    /// The value in the configuration; nil if the configuration cannot express it.
    var setting: JSON.Value? { get }
}

extension Int: SettingValue {
    static func read(_ value: JSON.Value) -> Int? { value.integer }
    var setting: JSON.Value? { .integer(self) }
}

extension Bool: SettingValue {
    static func read(_ value: JSON.Value) -> Bool? { value.bool }
    var setting: JSON.Value? { .bool(self) }
}

extension String: SettingValue {
    static func read(_ value: JSON.Value) -> String? { value.string }
    var setting: JSON.Value? { .string(self) }
}

/// Durations are whole seconds. For an optional property, 0 means no duration.
extension Duration: SettingValue {
    static func read(_ value: JSON.Value) -> Duration? {
        value.integer.flatMap { $0 > 0 ? .seconds($0) : nil }
    }
    var setting: JSON.Value? { .integer(Int(components.seconds)) }
}

extension ListenAddress: SettingValue {
    static func read(_ value: JSON.Value) -> ListenAddress? { value.string.flatMap { ListenAddress($0) } }
    var setting: JSON.Value? { .string(description) }
}

/// The configuration represents a case of an enumeration by its raw value, a word.
extension SettingValue where Self: RawRepresentable, RawValue == String {
    static func read(_ value: JSON.Value) -> Self? { value.string.flatMap { Self(rawValue: $0) } }
    var setting: JSON.Value? { .string(rawValue) }
}

extension Acquisition: SettingValue {}
extension BridgeSettings.JoinPolicy: SettingValue {}
extension BridgeSettings.PatternMixing: SettingValue {}
extension ConsoleSettings.Login: SettingValue {}
extension Logger.Level: SettingValue {}
extension LogFormat: SettingValue {}
extension LogSubsystem: SettingValue {}

/// An optional property becomes nil if `Wrapped` cannot read the value: an empty text, for example, means no address.
extension Optional: SettingValue where Wrapped: SettingValue {
    static func read(_ value: JSON.Value) -> Wrapped?? { .some(Wrapped.read(value)) }
    var setting: JSON.Value? { self?.setting }
}

extension Array: SettingValue where Element: SettingValue {
    static func read(_ value: JSON.Value) -> [Element]? { value.array?.compactMap { Element.read($0) } }
    var setting: JSON.Value? { .array(compactMap(\.setting)) }
}

extension Set: SettingValue where Element: SettingValue {
    static func read(_ value: JSON.Value) -> Set<Element>? { [Element].read(value).map { Set($0) } }
    var setting: JSON.Value? { .array(compactMap(\.setting)) }
}

extension Dictionary: SettingValue where Key == String, Value: SettingValue {
    static func read(_ value: JSON.Value) -> [String: Value]? {
        guard let members = value.object?.members else { return nil }
        var read: [String: Value] = [:]
        for member in members { read[member.key] = Value.read(member.value) }
        return read
    }
    var setting: JSON.Value? {
        .object(JSON.Object(sorted { $0.key < $1.key }.map { ($0.key, $0.value.setting ?? .null) }))
    }
}

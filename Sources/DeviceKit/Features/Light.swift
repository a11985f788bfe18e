/// Declares a light: fields that a command accepts and, if the feature has a report, that the report contains.
public struct Light: Hashable, Sendable {
    /// Whether the light is on: a Boolean, or one of the words `on` and `off`.
    public var power: String
    /// The brightness, an integer; nil if the light has none.
    public var brightness: String?
    /// The value of ``brightness`` for full brightness.
    public var full: Int
    /// The color: a list of red, green and blue, 0...255 each; nil if the light has none.
    public var rgb: String?
    /// The color temperature in kelvin, an integer; nil if the light has none.
    public var colorTemperature: String?
    /// The effect, a word; nil if the light has none.
    public var effect: String?

    /// Declares a light.
    public init(
        power: String, brightness: String? = nil, full: Int = 255, rgb: String? = nil,
        colorTemperature: String? = nil, effect: String? = nil
    ) {
        self.power = power
        self.brightness = brightness
        self.full = full
        self.rgb = rgb
        self.colorTemperature = colorTemperature
        self.effect = effect
    }

    /// All fields of the light.
    public var fields: [String] { [power] + [brightness, rgb, colorTemperature, effect].compactMap(\.self) }
}

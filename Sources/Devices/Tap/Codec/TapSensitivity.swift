/// The measurement ranges of the raw sensors, as codes of the raw mode command; 0 is the device's default.
struct TapSensitivity: Hashable, Sendable {
    /// The codes that exist for the range of the finger accelerometers.
    static let fingerCodes = 0...4
    /// The codes that exist for the range of the thumb unit's gyroscope.
    static let gyroCodes = 0...5
    /// The codes of the thumb unit's accelerometer. The documentation of two SDKs swaps its range with the
    /// gyroscope's range; their code does not.
    static let accelerometerCodes = 0...4

    /// The physical value of one count, as a fraction. So the product is rounded only once and matches the published
    /// tables.
    struct Scale: Hashable, Sendable {
        let numerator: Int
        let denominator: Int

        /// Returns the physical value of a count.
        func value(of count: Int16) -> Double { Double(Int(count) * numerator) / Double(denominator) }
    }

    private(set) var fingers: UInt8 = 0
    private(set) var gyro: UInt8 = 0
    private(set) var accelerometer: UInt8 = 0

    /// Creates the ranges that a TAP uses by default.
    init() {}

    /// Creates ranges from codes, in the order of the command. A code out of range becomes 0.
    init(codes fingers: UInt8, _ gyro: UInt8, _ accelerometer: UInt8) {
        self.fingers = Self.fingerCodes.contains(Int(fingers)) ? fingers : 0
        self.gyro = Self.gyroCodes.contains(Int(gyro)) ? gyro : 0
        self.accelerometer = Self.accelerometerCodes.contains(Int(accelerometer)) ? accelerometer : 0
    }

    /// The codes in the order of the command.
    var bytes: [UInt8] { [fingers, gyro, accelerometer] }

    /// The scale of the finger accelerometers in mg: 3.90625 at ±2 g (the exact values, which tap-python-sdk rounds).
    var fingerScale: Scale {
        switch fingers {
        case 1: Scale(numerator: 125, denominator: 32)
        case 2: Scale(numerator: 125, denominator: 16)
        case 3: Scale(numerator: 125, denominator: 8)
        default: Scale(numerator: 125, denominator: 4)
        }
    }

    /// The scale of the gyroscope in mdps: 17.5 at ±500 degrees per second.
    var gyroScale: Scale {
        switch gyro {
        case 1: Scale(numerator: 35, denominator: 8)
        case 2: Scale(numerator: 35, denominator: 4)
        case 4: Scale(numerator: 35, denominator: 1)
        case 5: Scale(numerator: 70, denominator: 1)
        default: Scale(numerator: 35, denominator: 2)
        }
    }

    /// The scale of the thumb unit's accelerometer in mg: 0.122 at ±4 g.
    var accelerometerScale: Scale {
        switch accelerometer {
        case 1: Scale(numerator: 61, denominator: 1000)
        case 3: Scale(numerator: 244, denominator: 1000)
        case 4: Scale(numerator: 488, denominator: 1000)
        default: Scale(numerator: 122, denominator: 1000)
        }
    }
}

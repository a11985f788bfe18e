/// The state of a belt for the picture.
package struct Belt: Hashable, Sendable {
    package static let motorCount = 16

    package var isConnected = false
    package var mode = ""
    /// The direction of the wearer, in degrees from magnetic north.
    package var heading = 0
    /// The charge of the battery as text: `90 %`.
    package var battery = ""
    /// The intensity of each running motor in percent, by the motor's number.
    package var motors: [Int: Int] = [:]
}

/// The state of a TAP for the picture.
package struct Tap: Hashable, Sendable {
    package static let fingers = ["thumb", "index", "middle", "ring", "pinky"]
    /// The duration for which a tap is shown.
    static let lit = Duration.milliseconds(700)

    package var isConnected = false
    package var battery = ""
    package var isVibrating = false
    /// The fingers of the newest tap.
    package var tapped: Set<String> = []
    /// The time until which the tap is shown.
    package var litUntil = Duration.zero
    /// The newest action of the wearer.
    package var lastAction = ""
}

/// The state of a robot for the picture.
package struct Robot: Hashable, Sendable {
    /// A place on the floor, in millimeters to the right and ahead of the start.
    package struct Place: Hashable, Sendable {
        package var x: Int
        package var y: Int
    }

    /// The maximum number of places in the trail.
    static let longestTrail = 60

    package var isConnected = false
    package var hasPower = false
    package var place = Place(x: 0, y: 0)
    /// The direction of the robot, in degrees clockwise from its direction at the start.
    package var heading = 0
    /// The previous places of the robot, the oldest first.
    package private(set) var trail: [Place] = []
    /// The power of the wheels: left front, right front, left rear, right rear. 127 is the full power of a motor.
    package var wheels = [0, 0, 0, 0]

    package var isMoving: Bool { wheels.contains { $0 != 0 } }

    mutating func move(to new: Place) {
        guard new != place else { return }
        trail.append(place)
        if trail.count > Self.longestTrail { trail.removeFirst() }
        place = new
    }
}

/// A device that is neither a belt, a TAP nor a robot; it is shown in one line.
package struct Other: Hashable, Sendable {
    package var name: String
    package var isConnected = false
    /// The bytes of the newest write to the device, in hexadecimal.
    package var written = ""
}

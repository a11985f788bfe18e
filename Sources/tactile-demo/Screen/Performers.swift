/// A belt as it is drawn.
package struct Belt: Hashable, Sendable {
    package static let motorCount = 16

    package var isConnected = false
    package var mode = ""
    /// In degrees from magnetic north.
    package var heading = 0
    /// As it is shown: `90 %`.
    package var battery = ""
    /// Percent by motor.
    package var motors: [Int: Int] = [:]
}

/// A TAP as it is drawn.
package struct Tap: Hashable, Sendable {
    package static let fingers = ["thumb", "index", "middle", "ring", "pinky"]
    /// How long a tap is shown.
    static let lit = Duration.milliseconds(700)

    package var isConnected = false
    package var battery = ""
    package var isVibrating = false
    /// The fingers that tapped last, and until when that is shown.
    package var tapped: Set<String> = []
    package var litUntil = Duration.zero
    /// What its wearer did last.
    package var deed = ""
}

/// A robot as it is drawn.
package struct Robot: Hashable, Sendable {
    /// A place on the floor, in millimetres to the right and ahead of the start.
    package struct Place: Hashable, Sendable {
        package var x: Int
        package var y: Int
    }

    /// How much of its way is kept.
    static let longestTrail = 60

    package var isConnected = false
    package var hasPower = false
    package var place = Place(x: 0, y: 0)
    /// In degrees clockwise from how it faced at its start.
    package var heading = 0
    /// Where it was before, the oldest first.
    package private(set) var trail: [Place] = []
    /// Left front, right front, left rear, right rear; 127 is all that a motor can do.
    package var wheels = [0, 0, 0, 0]

    package var isMoving: Bool { wheels.contains { $0 != 0 } }

    mutating func move(to new: Place) {
        guard new != place else { return }
        trail.append(place)
        if trail.count > Self.longestTrail { trail.removeFirst() }
        place = new
    }
}

/// Any other device: a line of its own.
package struct Other: Hashable, Sendable {
    package var name: String
    package var isConnected = false
    /// What it was told last, in hexadecimal.
    package var written = ""
}

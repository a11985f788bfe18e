/// The signal strengths between devices and hosts: path loss by distance, and constant shadows.
package struct Air: Sendable {
    /// A place on the plane, in meters.
    struct Point: Hashable, Sendable {
        var x: Double
        var y: Double

        func squaredDistance(to other: Point) -> Double {
            (x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)
        }
    }

    /// The strength at one meter, in dBm.
    static let reference = -50.0
    static let exponent = 3.5
    /// The standard deviation of shadows, in dB.
    static let shadow = 4.0
    /// The standard deviation between advertisements, in dB.
    static let fading = 2.0
    /// The weakest signal that is received, in dBm.
    static let sensitivity = -92.0
    /// The distance up to which hosts are considered, in meters. Beyond it, a shadow of minus ten decibels would be
    /// needed.
    static let reach = 31.0
    /// The size of the patches with the same shadow, in meters.
    static let patch = 3.0
    /// The share of advertisements that are lost despite a sufficient strength.
    static let loss = 0.05

    let seed: UInt64
    let places: [Point]
    private let columns: Int
    private var cells: [[Int]]
    private static let cell = 31.0

    init(seed: UInt64, places: [Point], side: Double) {
        self.seed = seed
        self.places = places
        columns = max(1, Int(side / Self.cell) + 1)
        cells = Array(repeating: [], count: columns * columns)
        for (host, place) in places.enumerated() { cells[index(of: place)].append(host) }
    }

    /// The mean strength in dBm.
    func strength(of device: Int, at point: Point, for host: Int) -> Double {
        let square = max(1, places[host].squaredDistance(to: point))
        let patch = UInt64(bitPattern: Int64(point.x / Self.patch) << 20 | Int64(point.y / Self.patch))
        let key = Random.mixed(seed ^ Random.mixed(UInt64(host) << 32 | UInt64(device)) ^ patch)
        let loss = 5 * Self.exponent * Random.logarithm(square) / 2.302_585_092_994
        return Self.reference - loss + Self.shadow * Random.normal(key: key)
    }

    /// The hosts that receive a device, with the mean strength in dBm.
    func hosts(hearing device: Int, at point: Point) -> [(host: Int, strength: Double)] {
        var found: [(host: Int, strength: Double)] = []
        let (column, row) = coordinates(of: point)
        for y in max(0, row - 1)...min(columns - 1, row + 1) {
            for x in max(0, column - 1)...min(columns - 1, column + 1) {
                for host in cells[y * columns + x]
                where places[host].squaredDistance(to: point) < Self.reach * Self.reach {
                    let strength = strength(of: device, at: point, for: host)
                    if strength > Self.sensitivity { found.append((host, strength)) }
                }
            }
        }
        return found
    }

    private func coordinates(of point: Point) -> (column: Int, row: Int) {
        (
            min(columns - 1, max(0, Int(point.x / Self.cell))),
            min(columns - 1, max(0, Int(point.y / Self.cell)))
        )
    }

    private func index(of point: Point) -> Int {
        let (column, row) = coordinates(of: point)
        return row * columns + column
    }
}

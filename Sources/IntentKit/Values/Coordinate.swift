/// A point on the earth (WGS 84), in degrees.
public struct Coordinate: Sendable, Hashable {
    /// −90 to 90, north positive.
    public let latitude: Double
    /// −180 to 180, east positive.
    public let longitude: Double

    /// `nil` outside those bounds.
    public init?(latitude: Double, longitude: Double) {
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}

import IntentKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension Coordinate {
    /// The great-circle distance in kilometres, on a sphere of the earth's mean radius (the haversine formula).
    func kilometres(to other: Coordinate) -> Double {
        let radian = Double.pi / 180
        let halfLatitude = sin((other.latitude - latitude) * radian / 2)
        let halfLongitude = sin((other.longitude - longitude) * radian / 2)
        let chord =
            halfLatitude * halfLatitude + cos(latitude * radian) * cos(other.latitude * radian) * halfLongitude
            * halfLongitude
        return 2 * 6371.0088 * asin(chord.squareRoot())
    }
}

import Testing

extension Tag {
    /// Needs a broker.
    @Tag static var broker: Self
}

import Testing

extension Tag {
    /// A test that needs a broker.
    @Tag static var broker: Self
}

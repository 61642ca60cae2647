import Testing

extension Tag {
    /// A test that takes more than ten seconds.
    @Tag static var slow: Self
}

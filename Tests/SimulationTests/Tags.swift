import Testing

extension Tag {
    /// Takes more than ten seconds.
    @Tag static var slow: Self
}

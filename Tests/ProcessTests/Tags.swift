import Testing

extension Tag {
    /// A test that starts programs.
    @Tag static var processes: Self
    /// A test that takes more than ten seconds.
    @Tag static var slow: Self
}

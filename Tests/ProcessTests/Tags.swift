import Testing

extension Tag {
    /// Starts programs.
    @Tag static var processes: Self
    /// Takes more than ten seconds.
    @Tag static var slow: Self
}

extension Context {
    /// A text in the language of the request, for a dialog:
    ///
    /// ```swift
    /// return .success(dialog: context.text("\(driver) will be there in \(minutes) minutes."))
    /// ```
    public func text(_ text: LocalizedText) -> String { text.text(in: locale) }
}

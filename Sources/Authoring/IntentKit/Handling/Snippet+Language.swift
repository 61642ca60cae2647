/// Initializers for cards and results in the language of the request, if they are created while one of the request's
/// phases runs.
extension Snippet {
    /// Creates a card.
    ///
    /// - Parameter lines: The lines of the card, at most 32.
    public init(title: LocalizedText, subtitle: LocalizedText? = nil, image: DisplayImage? = nil, lines: [Line] = []) {
        let locale = Context.current?.locale
        self.init(plain: title.text(in: locale), subtitle: subtitle?.text(in: locale), image: image, lines: lines)
    }
}

extension Snippet.Line {
    public init(_ title: LocalizedText, _ text: LocalizedText) {
        let locale = Context.current?.locale
        self.init(plain: title.text(in: locale), text.text(in: locale))
    }
}

extension ElementResult {
    /// Creates the outcome for one element of a list.
    ///
    /// - Parameters:
    ///   - element: The element, which the outcome names by its identifier and its title.
    ///   - code: ``ResponseCode/success``, or a failure.
    ///   - dialog: The reason, for the person.
    public init(of element: some ParameterValue, code: ResponseCode = .success, dialog: LocalizedText? = nil) {
        let locale = Context.current?.locale
        self.init(
            id: element.optionID, title: element.displayRepresentation.title.text(in: locale), code: code,
            dialog: dialog?.text(in: locale))
    }
}

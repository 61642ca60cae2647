/// What a response shows beside its words: `return .success(dialog: "Mia is on her way").showing(card)`.
extension IntentResponse {
    /// What the person reads beside a snippet, where the dialog says everything aloud: App Intents' `IntentDialog(full:supporting:)`.
    public func supporting(_ text: LocalizedText) -> IntentResponse {
        var response = self
        response.supportingDialog = text.text(in: Context.current?.locale)
        return response
    }

    /// A card that the person's side may show beside the words.
    public func showing(_ snippet: Snippet) -> IntentResponse {
        var response = self
        response.snippet = snippet
        return response
    }

    /// Handle: done for some of the elements of a list, and not for the others. The request has succeeded; it is not done again.
    ///
    /// - Parameters:
    ///   - results: What came of each element: at most ``ElementResult/maximumCount``.
    ///   - dialog: What the person is told: which of them it was not done for.
    public static func partialSuccess(
        results: [ElementResult], dialog: String? = nil, values: [String: any ParameterValue] = [:]
    ) -> IntentResponse {
        var response = IntentResponse(.partialSuccess, dialog: dialog, values: values.mapValues { JSON($0) })
        response.results = results
        return response
    }
}

/// A block with one ``ParameterSummary`` in it.
@resultBuilder
public enum ParameterSummaryBuilder<Subject: Intent> {
    public static func buildBlock<Content: ParameterSummary>(_ content: Content) -> Content { content }
}

/// The same for a block that may be missing.
@resultBuilder
public enum ParameterSummaryOtherwiseBuilder<Subject: Intent> {
    public static func buildBlock(_ content: some ParameterSummary) -> ParameterSummaryContent? { content.content }
}

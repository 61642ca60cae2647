@resultBuilder
public enum ParameterSummaryBuilder<Subject: Intent> {
    public static func buildBlock<Content: ParameterSummary>(_ content: Content) -> Content { content }
}

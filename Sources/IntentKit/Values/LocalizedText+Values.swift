extension LocalizedText.StringInterpolation {
    /// Shows a parameter's value in the reader's language: ``ParameterValue/displayText(in:)``.
    public mutating func appendInterpolation(_ value: some ParameterValue) {
        append(value.displayText) { value.displayText(in: $0) }
    }
}

extension OpenedIntent {
    /// The intent with the values that it has.
    ///
    /// Looks through the intent by reflection (some microseconds), because the process that asks for it need not serve it.
    public init(_ intent: some Intent) {
        self.init(intent: type(of: intent).name)
        for child in Mirror(reflecting: intent).children {
            guard let parameter = child.value as? any WrittenParameter, let label = child.label else { continue }
            parameters[String(label.drop { $0 == "_" })] = parameter.writtenValue
        }
    }
}

/// Lets reflection over an intent write its parameters without knowing their types.
protocol WrittenParameter {
    var writtenValue: JSON? { get }
}

extension Parameter: WrittenParameter {
    /// What was said, without the default: that is the other intent's own affair.
    var writtenValue: JSON? { value.map { JSON($0) } }
}

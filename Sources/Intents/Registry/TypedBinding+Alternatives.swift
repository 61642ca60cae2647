/// What there is to choose from when asking plainly leads nowhere.
extension TypedBinding {
    func alternatives(_ context: Context) async throws -> [ParameterOption] {
        let values = try await definition.options?.results() ?? Base.knownValues ?? []
        return values.count < 2 ? [] : options(Array(values.prefix(Self.fewOptions)), context.locale)
    }
}

extension ParameterBinding {
    func alternatives(_ context: Context) async throws -> [ParameterOption] { [] }
}

extension ParameterResolution {
    /// The person has to come up with a value.
    var isOpenQuestion: Bool {
        switch self {
        case .needsValue, .unsupported: true
        case .success, .notRequired, .disambiguation, .confirmationRequired: false
        }
    }
}

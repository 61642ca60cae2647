/// How far a phase is, told while it runs.
public struct IntentProgress: Sendable, Hashable {
    public var code: ResponseCode?
    /// 0 to 1.
    public var fraction: Double?
    public var dialog: String?
    /// How things stand after it has succeeded, from a handler that is ``LiveUpdating``.
    public var update: IntentUpdate?

    /// Brings the fraction inside 0 to 1; one that is not a number is left out.
    public init(code: ResponseCode? = nil, fraction: Double? = nil, dialog: String? = nil) {
        self.code = code
        self.fraction = fraction.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
        self.dialog = dialog
    }
}

/// The result of an intent for one element of a list, such as one of the recipients of a message.
public struct ElementResult: Sendable, Hashable {
    /// The element's identifier, if it has one.
    public var id: String?
    /// The element in words.
    public var title: String
    /// ``ResponseCode/success``, or a failure.
    public var code: ResponseCode
    /// The reason, for the person.
    public var dialog: String?

    public init(id: String? = nil, title: String, code: ResponseCode = .success, dialog: String? = nil) {
        self.id = id
        self.title = title
        self.code = code
        self.dialog = dialog
    }

    /// The maximum number of results in a response.
    public static let maximumCount = 200
}

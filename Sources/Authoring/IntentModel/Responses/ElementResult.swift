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

extension ElementResult {
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", ifPresent: id)
        writer.member("title", title)
        writer.member("code", code.rawValue)
        writer.member("dialog", ifPresent: dialog)
        writer.endObject()
    }

    /// Reads a result; `nil` if it lacks a title or a code.
    package init?(_ view: JSONView) {
        guard let title = view["title"]?.string, let code = view["code"]?.string else { return nil }
        self.init(
            id: view["id"]?.string, title: title, code: ResponseCode(rawValue: code), dialog: view["dialog"]?.string)
    }
}

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A file that an intent works on: App Intents' type of the same name.
///
/// In JSON a file is `{"name","type"?,"url"}` or `{"name","type"?,"data"}` with the bytes as Base64. An event holds at
/// most 64 KiB, so a file may include at most ``maximumInlineBytes``. A person, or a program that can only send text,
/// may give the URL; the last path component of the URL is then the name.
public struct IntentFile: ParameterValue {
    public enum Content: Sendable, Hashable {
        /// The address of the file. A `file:` URL is not permitted, because it would name a file on the worker's own
        /// disk.
        case url(URL)
        case data(Data)
    }

    /// The name of the file, without a path.
    public let filename: String
    /// The MIME type (`application/pdf`) or uniform type identifier (`com.adobe.pdf`) of the file.
    public let type: String?
    public let content: Content

    /// The maximum size of a file that is included in an event: 32 KiB, which is 43 KiB of Base64.
    public static let maximumInlineBytes = 32_768

    /// Creates a file from its address.
    ///
    /// - Throws: ``IntentFailure`` with reason `invalid` for a name that is empty, longer than 255 bytes or a path, for
    ///   a type that is empty or longer than 255 bytes, and for a URL that is relative or has the scheme `file` or
    ///   `data`.
    public init(url: URL, filename: String? = nil, type: String? = nil) throws(IntentFailure) {
        let scheme = url.scheme?.lowercased()
        guard let scheme, scheme != "file", scheme != "data", URL(text: url.absoluteString) != nil else {
            throw Self.refusal(
                .invalid, "a file's URL has to be absolute and reachable from other machines, such as https://…")
        }
        try self.init(checked: filename ?? Self.name(in: url), type, .url(url))
    }

    /// Creates a file from its contents.
    ///
    /// - Throws: ``IntentFailure`` with reason `complex` beyond ``maximumInlineBytes``, and with `invalid` for a name
    ///   or a type as above.
    public init(data: Data, filename: String, type: String? = nil) throws(IntentFailure) {
        guard data.count <= Self.maximumInlineBytes else {
            let message =
                "a file of \(data.count) bytes is too large to travel in an event (\(Self.maximumInlineBytes)): pass its URL"
            throw Self.refusal(.complex, message)
        }
        try self.init(checked: filename, type, .data(data))
    }

    private init(checked filename: String, _ type: String?, _ content: Content) throws(IntentFailure) {
        let isName = !filename.isEmpty && filename.utf8.count <= 255 && filename != "." && filename != ".."
        guard isName, filename.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\") })
        else {
            throw Self.refusal(.invalid, "a file's name has to be 1 to 255 bytes without a path")
        }
        if let type, type.isEmpty || type.utf8.count > 255 {
            throw Self.refusal(.invalid, "a file's type has to be a MIME type or a uniform type identifier")
        }
        (self.filename, self.type, self.content) = (filename, type, content)
    }

    private static func refusal(_ reason: RejectionReason, _ message: String) -> IntentFailure {
        IntentFailure(.failure(.failure), reason: reason, message: message)
    }

    /// Returns the last path component, or "file".
    private static func name(in url: URL) -> String {
        let name = url.lastPathComponent
        return name.isEmpty || name == "/" ? "file" : name
    }

    // MARK: As a parameter

    public static var jsonKind: JSONView.Kind { .object }
    public static var typeDescription: String {
        "a file: its URL, or an object with 'name' and either 'url' or up to \(maximumInlineBytes) bytes of Base64 'data'"
    }
    public static var jsonSchema: JSON {
        let string = JSON.typeSchema("string")
        let data = JSON.object([
            "type": .string("string"), "contentEncoding": .string("base64"), "maxLength": .number(43_692),
        ])
        return .object([
            "type": .string("object"), "required": .array([.string("name")]),
            "properties": .object(["name": string, "type": string, "url": URL.jsonSchema, "data": data]),
            "oneOf": .array(["url", "data"].map { .object(["required": .array([.string($0)])]) }),
        ])
    }

    public init?(json: JSONView) {
        let (url, data, type) = (json["url"], json["data"], json["type"]?.string)
        do {
            if let url, data == nil, let url = url.string.flatMap({ URL(text: $0) }) {
                try self.init(url: url, filename: json["name"]?.string, type: type)
            } else if let data, url == nil, let name = json["name"]?.string, let text = data.string,
                text.utf8.count <= 43_692,
                let bytes = Data(base64Encoded: text)
            {
                try self.init(data: bytes, filename: name, type: type)
            } else {
                return nil
            }
        } catch {
            return nil
        }
    }

    public init?(text: String) {
        guard let url = URL(text: text), let file = try? IntentFile(url: url) else { return nil }
        self = file
    }

    public func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", filename)
        writer.member("type", ifPresent: type)
        switch content {
        case .url(let url): writer.member("url", url.absoluteString)
        case .data(let data): writer.member("data", data.base64EncodedString())
        }
        writer.endObject()
    }

    public var displayText: String { filename }
    /// The URL, which is unique; without a URL, the name.
    public var optionID: String {
        if case .url(let url) = content { url.absoluteString } else { filename }
    }
}

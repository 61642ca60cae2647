#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An absolute URL of at most 2,048 bytes. In JSON and as a person's text a URL is RFC 3986 text: ASCII with a scheme
/// (`https://example.com/menu`).
///
/// "example.com" is not accepted, because the text may be a web page, a file or a name. The code that opens a URL has
/// to decide which schemes and hosts are safe.
extension URL: ParameterValue {
    public static var jsonKind: JSONView.Kind { .string }
    public static var typeDescription: String { "an absolute URL such as https://example.com/menu" }
    public static var jsonSchema: JSON {
        .object(["type": .string("string"), "format": .string("uri"), "maxLength": .number(maximumBytes)])
    }

    public init?(json: JSONView) { return nil }

    public init?(text: String) {
        let text = SpokenNumber.trimmed(text)
        guard text.utf8.count <= Self.maximumBytes, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let url = URL(string: String(text), encodingInvalidCharacters: false), let scheme = url.scheme,
            !scheme.isEmpty,
            url.absoluteString.utf8.count > scheme.utf8.count + 1
        else { return nil }
        if ["http", "https"].contains(scheme.lowercased()), url.host(percentEncoded: true)?.isEmpty ?? true {
            return nil
        }
        self = url
    }

    public func encode(to writer: inout JSONWriter) { writer.string(absoluteString) }
    public var displayText: String { absoluteString }

    private static var maximumBytes: Int { 2_048 }
}

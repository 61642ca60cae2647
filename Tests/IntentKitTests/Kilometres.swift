import IntentKit

/// An author's own type that can be compared.
struct Kilometres: ParameterValue, Comparable {
    var count: Int
    init(_ count: Int) { self.count = count }
    static var jsonKind: JSONView.Kind { .number }
    init?(json: JSONView) {
        guard let count = json.int else { return nil }
        self.init(count)
    }
    func encode(to writer: inout JSONWriter) { writer.number(count) }
    var displayText: String { "\(count) km" }
    func displayText(in locale: String?) -> String { locale == "ru" ? "\(count) км" : displayText }
    static func < (a: Self, b: Self) -> Bool { a.count < b.count }
}

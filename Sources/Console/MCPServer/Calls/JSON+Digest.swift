package import IntentModel
import MessageAuthentication

extension JSON {
    /// A digest of the value, as 16 hexadecimal digits. The digest does not depend on the order of members.
    package var digest: String { SHA256.hash(view.sorted.bytes).shortHexadecimal }
}

extension String {
    /// A digest of the text, as 16 hexadecimal digits.
    package var digest: String { SHA256.hash(Array(utf8)).shortHexadecimal }
}

extension [UInt8] {
    fileprivate var shortHexadecimal: String { Hexadecimal.encode(prefix(8)) }
}

extension JSONView {
    fileprivate var sorted: JSON {
        switch kind {
        case .object:
            .make { writer in
                writer.beginObject()
                for (name, value) in members.sorted(by: { $0.name < $1.name }) {
                    writer.member(named: name, value.sorted)
                }
                writer.endObject()
            }
        case .array: .array(elements.map(\.sorted))
        case .string: .string(string ?? "")
        default: json
        }
    }
}

/// A question as code asks it: what ``PhaseScope`` makes a ``PhaseQuestion`` of.
package struct Ask: Sendable {
    /// The first part of the question's id.
    package enum Form: String, Sendable {
        case value, choice, confirm, confirmIntent, foreground
    }

    /// A parameter as its declaration knows it.
    struct Subject: Sendable {
        var identity: ObjectIdentifier
        var title: LocalizedText
    }

    var form: Form
    var kind: PhaseQuestion.Kind
    var subject: Subject?
    var dialog: String?

    /// What the question's id begins with: `value:date`. That of a value to be confirmed has the value in it, so that a yes to one is none to
    /// another.
    func stem(_ parameter: String?) -> String {
        var stem = form.rawValue
        if let parameter { stem += ":\(parameter)" }
        if form == .confirm, case .confirmValue(let value) = kind { stem += "=\(Self.digest(value))" }
        return stem
    }

    /// FNV-1a of the value's text: the same in every process, as Swift's hashes are not.
    private static func digest(_ value: JSON) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in value.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 36)
    }

    /// The form and the parameter of a question with this id, if code has asked it about a parameter.
    package static func parse(_ id: String) -> (form: Form, parameter: String)? {
        let parts = id.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let form = Form(rawValue: String(parts[0])) else { return nil }
        return (form, String(parts[1].prefix { $0 != "=" && $0 != "#" && $0 != "!" }))
    }
}

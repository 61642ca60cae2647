import Conversation
import IntentModel

// The rules for members of requests.

extension MemberRule<String> {
    /// An id or a name that has to be there.
    static var name: MemberRule { MemberRule(.name(EventBounds.text)) { nameProblem($0, $1, isRequired: true) } }

    /// A name that may be left out, or empty.
    static var perhapsName: MemberRule {
        MemberRule(.name(0...EventBounds.text.upperBound)) { nameProblem($0, $1, isRequired: false) }
    }

    private static func nameProblem(_ text: String?, _ name: String, isRequired: Bool) -> String? {
        guard let text, !isRequired || !text.isEmpty else {
            return isRequired ? "'\(name)' is missing or not a text" : "'\(name)' is not a text"
        }
        if text.utf8.count > EventBounds.text.upperBound {
            return "'\(name)' has more than \(EventBounds.text.upperBound) bytes"
        }
        return text.hasControlCharacters ? "'\(name)' has control characters" : nil
    }

    /// A text for people.
    static var text: MemberRule { MemberRule(.text) { $0 == nil ? "'\($1)' is not a text" : nil } }

    /// The words of an answer.
    static var utterance: MemberRule {
        let lengths = Utterance.lengths
        return MemberRule(
            ContractSchema.text.with([
                "minLength": .number(lengths.lowerBound), "maxLength": .number(lengths.upperBound),
            ])
        ) { text, name in
            guard let text else { return "'\(name)' is not a text" }
            // Bytes first: counting the characters of a large text takes long.
            guard text.utf8.count <= Utterance.maximumBytes, lengths ~= text.unicodeScalars.count else {
                return "'\(name)' has \(lengths.lowerBound) to \(lengths.upperBound) characters"
            }
            return text.hasControlCharacters ? "'\(name)' has control characters" : nil
        }
    }

    static var optionID: MemberRule {
        MemberRule(.text) { $0 == nil ? "'\($1)' is the id of an option, which is a text" : nil }
    }

    static var intent: MemberRule {
        MemberRule(.name(EventBounds.intent)) { intent, name in
            let isName = intent.map { EventBounds.intent ~= $0.utf8.count && !$0.hasControlCharacters } ?? false
            return isName ? nil : "'\(name)' must name an intent"
        }
    }

    static var locale: MemberRule {
        MemberRule(.name(EventBounds.locale)) { locale, name in
            let isTag = locale.map { EventBounds.locale ~= $0.utf8.count && !$0.hasControlCharacters } ?? false
            return isTag ? nil : "'\(name)' is a language tag such as en-GB"
        }
    }

    /// A name that looks like that of a time zone. Only workers have the table of time zones.
    static var timeZone: MemberRule {
        MemberRule(
            ContractSchema.text(EventBounds.timeZone).with(["pattern": .string("^[0-9A-Za-z_+/-]*$")])
        ) { zone, name in
            let isZone =
                zone.map { zone in
                    EventBounds.timeZone ~= zone.utf8.count
                        && zone.utf8.allSatisfy {
                            0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || "_+-/".utf8.contains($0)
                        }
                } ?? false
            return isZone ? nil : "'\(name)' is the IANA name of a time zone, such as Europe/Amsterdam"
        }
    }

    static var optionsStart: MemberRule {
        MemberRule(.text(matching: "^[0-9]+$")) { start, name in
            if let problem = nameProblem(start, name, isRequired: false) { return problem }
            return start.flatMap { Int($0) }.map { $0 >= 0 } ?? false
                ? nil : "'\(name)' is what 'optionsNext' said, such as \"25\""
        }
    }

    /// The secret of a claim.
    static var secret: MemberRule {
        let length = RequestEvent.secretLength
        return MemberRule(.name(length)) { secret, name in
            if let secret, length ~= secret.utf8.count {
                return secret.hasControlCharacters ? "'\(name)' has control characters" : nil
            }
            return
                "a claim needs a '\(name)' of \(length.lowerBound) to \(length.upperBound) bytes, made for it by the app: completing and returning the handoff repeat it"
        }
    }
}

extension MemberRule<Int> {
    static var optionsLimit: MemberRule {
        let limits = OptionsRequest.limits
        return MemberRule(.integer(limits)) { limit, name in
            limit.map(limits.contains) ?? false
                ? nil : "'\(name)' is a number from \(limits.lowerBound) to \(limits.upperBound)"
        }
    }
}

extension MemberRule<Instant> {
    static var time: MemberRule {
        MemberRule(.time) { $0 == nil ? "'\($1)' is a time such as 2026-03-01T12:00:00Z" : nil }
    }

    static var personTime: MemberRule {
        MemberRule(.time) { time, name in
            time.map { $0.milliseconds > 0 } ?? false
                ? nil : "'\(name)' is a time since 1970, such as 2026-03-01T12:00:00Z"
        }
    }
}

extension MemberRule<[String: JSON]> {
    static var values: MemberRule {
        MemberRule(.values) { $0 == nil ? "'\($1)' is an object of values by name" : nil }
    }
}

extension MemberRule where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the words of an enumeration.
    static var word: MemberRule {
        MemberRule(.cases(Value.self)) { value, name in
            value == nil ? "'\(name)' is one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))" : nil
        }
    }
}

extension IntentRequest.WhenBusy: MemberValue {}
extension Answer.Action: MemberValue {}
extension Forgetting.Scope: MemberValue {}

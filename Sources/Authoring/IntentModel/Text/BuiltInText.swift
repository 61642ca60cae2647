/// The pipeline's own texts, in English, Dutch, German, French and Spanish. They are used where no author has provided
/// a text.
///
/// An extension's ``LocalizedTable`` with the same key (`%@ can't be '%@'.`) takes precedence over the translations
/// here, and may add languages.
public enum BuiltInText {
    // MARK: While a parameter is resolved

    /// - Parameters:
    ///   - title: The parameter's title.
    ///   - words: The person's words.
    public static func cantBe(_ title: String, _ words: String) -> LocalizedText {
        known("\(title) can't be '\(words)'.")
    }

    public static func outsideRange(_ title: String, from minimum: String, to maximum: String, said: String)
        -> LocalizedText
    {
        known("\(title) can be \(minimum) to \(maximum), not \(said).")
    }

    /// - Parameter type: A ``ParameterValue/typeDescription``.
    public static func isNot(_ words: String, _ type: String) -> LocalizedText {
        known("'\(words)' is not \(typeDescription(type)).")
    }

    /// The text for a secret, which is not quoted.
    public static func cantBeThat(_ title: String) -> LocalizedText { known("\(title) can't be that.") }

    /// The text for a secret, which is not quoted.
    public static func range(_ title: String, from minimum: String, to maximum: String) -> LocalizedText {
        known("\(title) can be \(minimum) to \(maximum).")
    }

    /// The text for a secret, which is not quoted.
    ///
    /// - Parameter type: A ``ParameterValue/typeDescription``.
    public static func hasToBe(_ title: String, _ type: String) -> LocalizedText {
        known("\(title) has to be \(typeDescription(type)).")
    }

    /// - Parameter words: The name of the entity that no longer exists.
    public static func isGone(_ title: String, _ words: String) -> LocalizedText {
        known("\(title): '\(words)' is no longer there.")
    }

    public static func isGone(_ title: String) -> LocalizedText { known("\(title): that is no longer there.") }

    /// The text for a list with too few values.
    public static func atLeast(_ title: String, _ count: Int) -> LocalizedText {
        known("\(title): at least \(count), please.")
    }

    /// The text for a list with too many values.
    public static func atMost(_ title: String, _ count: Int) -> LocalizedText {
        known("\(title): at most \(count), please.")
    }

    public static var whichOneWouldYouLike: LocalizedText { known("Which one would you like?") }

    /// A ``ParameterValue/typeDescription``. The descriptions of the pipeline's own types are translated.
    public static func typeDescription(_ description: String) -> LocalizedText {
        known(LocalizedText(key: description))
    }

    /// The label of an answer to a confirmation, such as "Book".
    public static func action(_ label: String) -> LocalizedText { known(LocalizedText(key: label)) }

    // MARK: In the coordinator, if no worker has provided a question

    public static func needsValue(_ title: String) -> LocalizedText { known("\(title)?") }

    public static func needsChoice(_ title: String) -> LocalizedText { known("\(title): which one?") }

    public static func confirmValue(_ title: String, _ value: String) -> LocalizedText { known("\(title): \(value)?") }

    public static func unsupported(_ title: String) -> LocalizedText {
        known("\(title): that can't be used. What else?")
    }

    public static func needsAnother(_ title: String) -> LocalizedText { known("\(title): what else?") }

    public static func confirmSecret(_ title: String) -> LocalizedText {
        known("\(title): is it the one that is known?")
    }

    public static func offer(_ title: String) -> LocalizedText { known("\(title): which of these?") }

    public static var whatIsIt: LocalizedText { known("What is it?") }

    /// - Parameter summary: The intent in a sentence, or its name.
    public static func confirmIntent(_ summary: String) -> LocalizedText { known("\(summary)?") }

    /// - Parameter title: The account or service to sign in to.
    public static func signIn(to title: String) -> LocalizedText { known("Sign in to \(title).") }

    public static var signIn: LocalizedText { known("Sign in to go on.") }

    /// The question for the choice among intents that the person may have meant.
    public static var whichIntent: LocalizedText { known("Which of these do you mean?") }

    /// The notice that the request fails if this answer can't be used either.
    public static var lastTry: LocalizedText { known("This is the last try.") }

    /// The notice that more have to agree.
    public static func agreedSoFar(_ count: Int, of needed: Int) -> LocalizedText {
        known("Agreed: \(String(count)) of \(String(needed)).")
    }

    /// The notice that the options are the same as those that the person did not want.
    public static var noOthers: LocalizedText { known("There are no others.") }

    /// A yes and a no, as values.
    public static var yes: LocalizedText { known("yes") }
    public static var no: LocalizedText { known("no") }

    // MARK: Values

    public static func and(_ first: String, _ last: String) -> LocalizedText { known("\(first) and \(last)") }
    public static func fromTo(_ start: String, _ end: String) -> LocalizedText { known("\(start) to \(end)") }
    public static func from(_ start: String) -> LocalizedText { known("from \(start)") }
    public static func until(_ end: String) -> LocalizedText { known("until \(end)") }

    /// A recurrence without its days and its end.
    ///
    /// - Parameter unit: `minute`, `hour`, `day`, `week`, `month` or `year`.
    public static func every(_ interval: Int, _ unit: String) -> LocalizedText {
        if interval == 1 { return known(LocalizedText(key: "every \(unit)")) }
        let number = String(interval)
        return switch unit {
        case "minute": known("every \(number) minutes")
        case "hour": known("every \(number) hours")
        case "day": known("every \(number) days")
        case "week": known("every \(number) weeks")
        case "month": known("every \(number) months")
        default: known("every \(number) years")
        }
    }

    /// - Parameter name: The English name: "Monday".
    public static func weekday(_ name: String) -> LocalizedText { known(LocalizedText(key: name)) }

    /// - Parameters:
    ///   - recurrence: "every 2 weeks".
    ///   - days: "Monday and Thursday".
    public static func onDays(_ recurrence: String, _ days: String) -> LocalizedText {
        known("\(recurrence) on \(days)")
    }

    public static func times(_ recurrence: String, _ count: Int) -> LocalizedText {
        let number = String(count)
        return count == 1 ? known("\(recurrence), once") : known("\(recurrence), \(number) times")
    }

    /// The notice that words were neither an answer to a confirmation nor a change of the intent.
    public static var notUnderstood: LocalizedText { known("I did not understand that.") }

    /// The notice that the options, which the person did not want, are not all.
    public static var sayAnother: LocalizedText { known("You can also say another one in your own words.") }

    // MARK: In the coordinator, at the end of a request without words

    public static var timedOut: LocalizedText { known("There was no answer in time.") }

    public static var tookTooLong: LocalizedText { known("It took too long.") }

    public static var isCancelled: LocalizedText { known("It is cancelled.") }

    public static var isNotApproved: LocalizedText { known("It was not approved.") }

    public static var askedTooOften: LocalizedText { known("There was no answer that can be used.") }

    // MARK: In the coordinator, after an answer in words that does not answer the prompt

    /// The answers to a prompt for a value, for a person who asks what to say.
    public static var helpWithValue: LocalizedText {
        known("Say it in your own words. You can also say repeat or cancel.")
    }

    /// The answers to a prompt with options.
    public static var helpWithChoice: LocalizedText {
        known("Say a name or a number from the list. You can also say none of these, repeat or cancel.")
    }

    /// The answers to a prompt that asks for agreement.
    public static var helpWithConfirmation: LocalizedText {
        known("Say yes or no. You can also say repeat or cancel.")
    }

    /// The answers to a prompt to sign in.
    public static var helpWithSignIn: LocalizedText {
        known("Say yes when you have signed in. You can also say repeat or cancel.")
    }

    /// The answers to the question whether a no is right.
    public static var helpWithNo: LocalizedText {
        known("Say correct or wrong. You can also say repeat or cancel.")
    }

    /// The answers to a prompt to sign in on the device that the request comes from.
    public static var helpOnDevice: LocalizedText {
        known("Sign in on your device. You can also say repeat or cancel.")
    }

    /// - Parameter title: The parameter's title.
    public static func isNeeded(_ title: String) -> LocalizedText { known("\(title): this is needed.") }

    public static var noneOfTheOptions: LocalizedText {
        known("That is none of these. Say a name or a number from the list.")
    }

    /// - Parameter count: How many options fit what was said.
    public static func severalOptions(_ count: Int) -> LocalizedText {
        known("\(count) of these fit. Say more of the name.")
    }

    /// - Parameter options: The options that fit what was said, with their numbers.
    public static func whichOfTheOptions(_ options: String) -> LocalizedText {
        known("Which one do you mean: \(options)?")
    }

    // MARK: In the coordinator, about a value

    /// The reason for a parameter's value: the person said the value earlier in the session.
    public static var asBefore: LocalizedText { known("as before") }

    /// The reason for a parameter's value: the person said the value in an earlier session.
    public static var asLastTime: LocalizedText { known("as last time") }

    public static var tooLate: LocalizedText { known("It was too late.") }

    /// The translations. Their keys are the English texts, with `%@` for each value.
    public static let table = LocalizedTable(
        unchecked: translations.merging(typeDescriptions) { first, _ in first }.merging(actions) { first, _ in first })

    private static func known(_ literal: LocalizedText) -> LocalizedText {
        LocalizedText(literal, canonical: literal.key.flatMap { table.translations(of: $0) } ?? [:])
    }
}

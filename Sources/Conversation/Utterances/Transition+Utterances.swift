import IntentModel

// The person answers a prompt in their own words.
extension Transition {
    /// Reads the words of an answer, and tells how they were read.
    ///
    /// - Parameter isFromAgent: whether the answer may only fill in a value.
    /// - Returns: the answer that the words are; `nil` if they are none, and the person was told why. The prompt stays as it is then.
    mutating func read(_ said: Answer, isFromAgent: Bool) -> Answer? {
        // An answer to a prompt that is not open is rejected for that.
        guard let utterance = said.utterance, let active = session.active, let prompt = active.prompt,
            prompt.id == said.prompt
        else { return said }
        let request = active.request.id
        let language = policy.phrases.language(utterance.language ?? active.request.locale)
        var reading = UtteranceReader(prompt: prompt, language: language).read(utterance.text)
        if reading == .change, active.asking.inWords.unreadAnswers >= Prompt.maximumReadings { reading = .unclear([]) }
        let answer = answer(reading, to: prompt, said)
        if let answer {
            if isFromAgent, let refusal = refusal(ofAgreement: answer) {
                reject(refusal)
                return nil
            }
        } else if countReading(of: prompt) == .refused {
            reject(
                Rejection(
                    .complex,
                    "the prompt was answered \(Prompt.maximumReadings) times with words that are no answer: answer it with 'value', 'option' or 'action'",
                    field: "utterance"), about: request)
            return nil
        }
        // The id of an option is often the value itself.
        let option = prompt.asked.isSecret ? nil : answer?.option
        let reply = answer == nil ? reply(to: reading, prompt) : nil
        tell(
            .answerRead(ReadAnswer(prompt: prompt.id, readAs: reading.readAs, option: option, dialog: reply)),
            about: request)
        return answer
    }

    private func answer(_ reading: UtteranceReader.Reading, to prompt: Prompt, _ said: Answer) -> Answer? {
        var answer = said
        switch reading {
        case .yes: break
        case .no, .noneOfThese: answer.action = .decline
        // A phase gets to know that its question was declined. A parameter is left out, if the intent can do without it.
        case .skip
        where prompt.question != nil || prompt.parameter == nil || prompt.isOptional || isOneOfSeveral(prompt):
            (answer.action, answer.isSkip) = (.decline, true)
        case .cancel: answer.action = .cancel
        case .value(let words): answer.value = .string(words)
        case .change: answer.isChange = true
        case .option(let place): answer.option = prompt.options[place].id
        case .skip, .repeat, .help, .unclear: return nil
        }
        return answer
    }

    /// Returns `true` if the prompt is about an element of a list with several elements.
    private func isOneOfSeveral(_ prompt: Prompt) -> Bool {
        prompt.asked.element != nil && session.active?.list(prompt.parameter ?? "")?.count ?? 0 > 1
    }

    /// The dialog for words that do not answer the prompt.
    private func reply(to reading: UtteranceReader.Reading, _ prompt: Prompt) -> String {
        let notice: LocalizedText
        switch reading {
        case .repeat: return prompt.dialog
        case .skip: notice = BuiltInText.isNeeded(prompt.asked.title ?? prompt.parameter ?? "")
        case .unclear(let places)
        where places.count > Prompt.maximumNamedOptions || prompt.asked.isSecret && !places.isEmpty:
            notice = BuiltInText.severalOptions(places.count)
        case .unclear(let places) where !places.isEmpty:
            return text(BuiltInText.whichOfTheOptions(prompt.named(places)))
        case .unclear where prompt.kind == .choice: notice = BuiltInText.noneOfTheOptions
        default: notice = prompt.help
        }
        return "\(text(notice)) \(prompt.dialog)"
    }

    /// Counts an answer in words that was none, and refuses it if that is one too many.
    private mutating func countReading(of open: Prompt) -> Verdict {
        guard open.readings < Prompt.maximumReadings else { return .refused }
        var prompt = open
        prompt.readings += 1
        session.active?.stage = .asking(prompt)
        return .accepted
    }
}

extension UtteranceReader.Reading {
    var readAs: ReadAs {
        switch self {
        case .yes: .yes
        case .no: .no
        case .noneOfThese: .noneOfThese
        case .skip: .skip
        case .cancel: .cancel
        case .repeat: .repeat
        case .help: .help
        case .value: .value
        case .change: .change
        case .option: .option
        case .unclear: .unclear
        }
    }
}

extension Prompt {
    /// The limit for answers in words that are none: those that the coordinator has read, which take no turn and no time of the prompt, and those that no
    /// resolver could read.
    static var maximumReadings: Int { 20 }
    /// The limit for options that a dialog names. If more fit, the person has to say more of the name.
    fileprivate static var maximumNamedOptions: Int { 5 }

    /// `true` if the intent can do without the parameter.
    var isOptional: Bool { asked.declaration?.view["required"]?.bool == false }

    /// The answers that fit, for a person who asks what to say.
    fileprivate var help: LocalizedText {
        switch kind {
        case .value: BuiltInText.helpWithValue
        case .choice: BuiltInText.helpWithChoice
        case .confirmValue where isAboutNo: BuiltInText.helpWithNo
        case .confirmValue, .confirmIntent: BuiltInText.helpWithConfirmation
        case .signIn where signIn?.requires == .localDevice: BuiltInText.helpOnDevice
        case .signIn: BuiltInText.helpWithSignIn
        }
    }

    /// Some options with their numbers, and with their subtitles: two of them may have one title.
    fileprivate func named(_ places: [Int]) -> String {
        places.map { place in
            let option = options[place]
            return "\(place + 1). \(option.title.onOneLine)" + (option.subtitle.map { " (\($0.onOneLine))" } ?? "")
        }.joined(separator: "; ")
    }
}

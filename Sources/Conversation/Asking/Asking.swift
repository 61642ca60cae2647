public import IntentModel

/// What the person was asked in the course of a request, and how often.
public struct Asking: Sendable, Hashable {
    /// How many prompts there were.
    public var turns = 0
    /// How often each parameter was asked for.
    public var asks: [String: Int] = [:]
    /// Why each parameter had to be asked for again.
    public var misses: [String: Misses] = [:]
    /// How many questions the phases have asked.
    public var questions = 0
    /// What the person may be offered if the prompt asked last leads nowhere.
    public var alternatives: [ParameterOption] = []
    /// The parameters that the person has changed since a resolver has accepted any, as they were before. If a resolver rejects what was said, they take its place.
    public var replaced: [ParameterState] = []

    /// The open consequences of answers in words. Few requests have any.
    @Boxed package var heard: AnswersInWords? = nil

    public init() {}

    /// Keeps an answer in words for the resolver, instead of an earlier one about the same parameter.
    mutating func keep(_ answer: SaidAnswer) {
        inWords.said.removeAll { $0.parameter == answer.parameter && $0.element == answer.element }
        inWords.said.append(answer)
    }

    /// Forgets the words about a parameter, or about one of its elements: it gets another value.
    mutating func forgetWords(of name: String, element: Int? = nil) {
        if !$heard.hasValue { return }
        inWords.said.removeAll { $0.parameter == name && (element == nil || $0.element == element) }
    }

    /// Forgets the value that words about a parameter have replaced.
    ///
    /// - Returns: the value; `nil` if there is none.
    @discardableResult
    mutating func forgetReplaced(_ name: String) -> JSON? {
        $heard.hasValue ? inWords.replaced.removeValue(forKey: name) : nil
    }

    /// Forgets the values that words were to be read by.
    mutating func forgetOffers() {
        guard hasWordsToRead else { return }
        for index in inWords.said.indices { inWords.said[index].offered = [] }
    }

    /// Forgets how often a parameter and its elements were asked for: it was resolved, and the person changes it.
    mutating func forgive(_ name: String) {
        if asks.isEmpty, misses.isEmpty { return }
        func isAbout(_ key: String) -> Bool {
            key.utf8.elementsEqual(name.utf8) || key.utf8.starts(with: "\(name)[".utf8)
        }
        asks = asks.filter { !isAbout($0.key) }
        misses = misses.filter { !isAbout($0.key) }
    }
}

extension Asking {
    /// The open consequences of answers in words: none, in most requests.
    package var inWords: AnswersInWords {
        get { heard ?? AnswersInWords() }
        set { heard = newValue == AnswersInWords() ? nil : newValue }
    }

    /// `true` if a resolver is to read words.
    var hasWordsToRead: Bool { $heard.hasValue && !inWords.said.isEmpty }
}

/// The open consequences of a request's answers in words.
public struct AnswersInWords: Sendable, Hashable {
    /// The answers that a resolver is to read, each with its question: at most one for each parameter or element.
    public var said: [SaidAnswer] = []
    /// `true` if no resolver could read the words that answered the last confirmation. The next one says so.
    public var isUnread = false
    /// The number of answers to confirmations that no resolver could read, since one was read.
    public var unreadAnswers = 0
    /// `true` if the person has answered a confirmation with other words than a yes. They have to agree before the intent is handled, whatever a confirmer says.
    public var mustAgree = false
    /// The values that words have replaced which are not resolved yet, by parameter. A no to the new value brings the old one back.
    public var replaced: [String: JSON] = [:]

    public init() {}
}

/// How often asking for one parameter failed, by reason.
public struct Misses: Sendable, Hashable {
    /// Prompts that were not answered in time.
    public var noAnswer = 0
    /// Values that matched nothing, or could not be read.
    public var noMatch = 0
    /// Values that were understood and can't be used.
    public var unsupported = 0
    /// Whether the person was offered the options.
    public var wasOffered = false
    /// The ids of the options that the person declined: those of the first page.
    public var declined: [String] = []

    public init() {}
}

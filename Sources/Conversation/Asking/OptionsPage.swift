public import IntentModel

/// The person's side wants to see more options of a prompt, or searches them. The prompt stays open, and its time goes on.
public struct OptionsRequest: Sendable, Hashable {
    public var prompt: Identifier
    /// Only the options that have each of these words in their title, their subtitle, their section or a synonym.
    public var search: String?
    /// How many options of the result come before the page.
    public var start: Int
    /// How many options the page may have.
    public var limit: Int

    /// How many options a page has if nothing else is asked for: as many as the prompt itself has.
    public static let usualLimit = 25
    public static let limits = 1...100

    public init(prompt: Identifier, search: String? = nil, start: Int = 0, limit: Int = usualLimit) {
        self.prompt = prompt
        self.search = search
        self.start = start
        self.limit = limit
    }
}

/// Some of the options of a prompt.
public struct OptionsPage: Sendable, Hashable {
    public var options: [ParameterOption]
    /// How many options there are in all, or how many the search has found.
    public var total: Int
    /// Where the next page starts; `nil` if this is the last one.
    public var next: Int?
    /// Whether there are more values than the options.
    public var omitsOptions: Bool

    /// The options that a prompt is issued with.
    public init(of prompt: Prompt) { self.init(of: prompt, OptionsRequest(prompt: prompt.id)) }

    public init(of prompt: Prompt, _ request: OptionsRequest) {
        var found = prompt.options
        let words = TextFolding.fold(request.search ?? "").split(separator: " ")
        if !words.isEmpty { found = found.filter { $0.matches(words) } }
        let start = min(max(request.start, 0), found.count)
        let end = min(start + max(request.limit, 1), found.count)
        options = Array(found[start..<end])
        total = found.count
        next = end < found.count ? end : nil
        omitsOptions = prompt.omitsOptions
    }
}

/// A page of options, with what it was asked for.
public struct ListedOptions: Sendable, Hashable {
    public var prompt: Identifier
    public var search: String?
    public var page: OptionsPage
    /// Whether the options are items that were found: the person's side sees their values.
    public var areItems: Bool

    public init(of prompt: Prompt, _ request: OptionsRequest) {
        self.prompt = prompt.id
        search = request.search
        page = OptionsPage(of: prompt, request)
        areItems = prompt.isAboutItems
    }
}

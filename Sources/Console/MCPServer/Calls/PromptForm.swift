package import IntentModel

/// A prompt as a flat form of primitive values, and the conversion of entered values to an answer.
///
/// The same question always gives the same form.
package struct PromptForm: Sendable {
    /// The question to the person, with everything that the person agrees to.
    package let message: String
    package let fields: [FormField]
    let question: RequestStanding.Question

    /// The role of a field in the answer.
    enum Use: Sendable { case value, option, words, parameter(String) }
    let uses: [Use]

    /// The id of the choice that requests the next page of options.
    package static let more = "@more"
    private static let maximumOthers = 8

    /// - Returns: `nil` for prompts that must not be asked in a form: secrets, and signing in.
    package init?(_ question: RequestStanding.Question) {
        let prompt = question.prompt.view
        guard prompt["secret"]?.bool != true, prompt["kind"]?.string != "signIn",
            prompt["declaration"]?["sensitivity"]?.string != "secret"
        else { return nil }
        self.question = question
        message = PromptMessage.text(of: question)
        let title = prompt["title"]?.string
        let about =
            prompt["declaration"]?["description"]?.string ?? prompt["declaration"]?["type"]?["description"]?.string
        var fields: [(FormField, Use)] = []
        let name = prompt["parameter"]?.string ?? "answer"
        switch prompt["kind"]?.string {
        case "value":
            let isRequired = prompt["declaration"]?["required"]?.bool != false
            let kind = FormField.kind(of: prompt["declaration"])
            fields.append(
                (FormField(name, title: title, description: about, kind: kind, isRequired: isRequired), .value))
        case "choice":
            let page = question.page?.view ?? prompt
            var choices = Self.choices(page)
            let hasMore = page["optionsNext"] != nil
            if hasMore { choices.append(.init(id: Self.more, title: "Show more options", value: .null)) }
            // The person's words can match options that are not shown.
            let takesWords = hasMore || page["optionsOmitted"]?.bool == true || choices.isEmpty
            if !choices.isEmpty {
                let field = FormField(
                    name, title: title, description: about, kind: .choice(choices), isRequired: !takesWords)
                fields.append((field, .option))
            }
            if takesWords {
                let field = FormField(
                    "\(name)InWords", title: "Something else", description: "What is not among the options, in words.",
                    kind: .text(format: nil), isRequired: choices.isEmpty)
                fields.append((field, .words))
            }
        default: break
        }
        if prompt["kind"]?.string == "value" || prompt["kind"]?.string == "choice" {
            fields += Self.others(prompt, besides: Set(fields.map(\.0.name)))
        }
        self.fields = fields.map(\.0)
        uses = fields.map(\.1)
    }

    private static func choices(_ page: JSONView) -> [FormField.Choice] {
        (page["options"]?.elements ?? []).compactMap { option in
            guard let id = option["id"]?.string else { return nil }
            let subtitle = option["subtitle"]?.string.map { " (\($0))" } ?? ""
            return FormField.Choice(
                id: id, title: "\(option["title"]?.string ?? id)\(subtitle)".shown(200), value: .string(id))
        }
    }

    /// Returns fields for the other missing parameters, so that the same form can fill them in.
    private static func others(_ prompt: JSONView, besides taken: Set<String>) -> [(FormField, Use)] {
        let rows = (prompt["parameters"]?.elements ?? []).filter { row in
            row["missing"]?.bool == true && row["declaration"] != nil
                && row["declaration"]?["sensitivity"]?.string != "secret"
                && row["parameter"]?.string.map { !taken.contains($0) } == true
        }
        return rows.prefix(maximumOthers).map { row in
            let name = row["parameter"]?.string ?? ""
            let options = choices(row)
            let kind = options.isEmpty ? FormField.kind(of: row["declaration"]) : .choice(options)
            let field = FormField(
                name, title: row["title"]?.string, description: row["declaration"]?["description"]?.string, kind: kind,
                isRequired: false)
            return (field, .parameter(name))
        }
    }

    /// Returns the JSON Schema from which clients build the form.
    package func schema(_ dialect: FormField.Dialect = .titled) -> JSON {
        .make { writer in
            writer.beginObject()
            writer.member("type", "object")
            writer.name("properties")
            writer.beginObject()
            for field in fields { writer.member(named: field.name, field.adapted(to: dialect).schema(dialect)) }
            writer.endObject()
            let required = fields.filter(\.isRequired)
            if !required.isEmpty { writer.member("required", .array(required.map { .string($0.name) })) }
            writer.endObject()
        }
    }

    // MARK: Reading what was entered

    /// The result of reading a form.
    package enum Reading: Sendable {
        /// An answer, without the prompt.
        case answer(JSON)
        /// A request for the next page of options.
        case moreOptions(start: String)
    }

    /// Reads the values that were entered in the form.
    ///
    /// - Throws: ``AgentProblem`` that names a field and its valid values.
    package func read(_ content: JSONView?, dialect: FormField.Dialect = .titled) throws(AgentProblem) -> Reading {
        if let content, content.kind != .object {
            throw AgentProblem("the content is an object with a member for each field")
        }
        var value: JSON?
        var option: JSON?
        var parameters: [(String, JSON)] = []
        for (field, use) in zip(fields, uses) {
            guard let read = try field.adapted(to: dialect).read(content?[field.name]) else { continue }
            switch use {
            case .value: value = read
            case .option where read == .null:
                if let start = (question.page ?? question.prompt).view["optionsNext"]?.string {
                    return .moreOptions(start: start)
                }
            case .option: option = read
            case .words: if option == nil { value = read }
            case .parameter(let name): parameters.append((name, read))
            }
        }
        let isAsked = uses.contains { if case .parameter = $0 { false } else { true } }
        if isAsked, value == nil, option == nil {
            // Leaving out an optional value declines the prompt.
            guard fields.first?.isRequired == false, question.prompt.view["kind"]?.string == "value" else {
                throw AgentProblem("'\(fields.first?.title ?? fields.first?.name ?? "")' is missing")
            }
            return .answer(.object(["action": .string("decline")]))
        }
        return .answer(
            .make { writer in
                writer.beginObject()
                writer.member("action", "accept")
                writer.member("value", ifPresent: value)
                writer.member("option", ifPresent: option)
                if !parameters.isEmpty {
                    writer.name("parameters")
                    writer.beginObject()
                    for (name, value) in parameters { writer.member(named: name, value) }
                    writer.endObject()
                }
                writer.endObject()
            })
    }
}

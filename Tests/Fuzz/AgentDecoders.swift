import Conversation
import IntentModel
import MCPServer

/// Decodes a message of an agent's host, and the sealed state that the host returns.
func decodeRPC(_ input: [UInt8]) {
    do throws(RPCError) {
        if case .request(let id, _, let params) = try RPCMessage(parsing: input) {
            require(id.bytes.count <= 256, "an id is short")
            require(params.map { $0.kind == .object } ?? true, "params are an object")
        }
    } catch {
        require(!error.message.withoutControlCharacters.isEmpty, "a message that is refused is told why")
        require((try? JSONView(parsing: RPCMessage.error(nil, error).bytes)) != nil, "the reply is JSON")
    }
    let text = String(decoding: input, as: UTF8.self)
    let (key, other) = ([UInt8](repeating: 7, count: 32), [UInt8](repeating: 8, count: 32))
    func opens(_ text: String, _ key: [UInt8], purpose: String = "p") -> AgentPlace? {
        try? AgentPlace(unsealing: text, with: key, for: nil, purpose: purpose, at: Instant(milliseconds: 0))
    }
    require(opens(text, key) == nil, "no one but the keeper of a key seals")
    let place = AgentPlace(session: Identifier(text), request: "r", asked: text, expires: Instant(milliseconds: 5_000))
    let sealed = place.sealed(with: key, for: nil, purpose: "p")
    if sealed.utf8.count <= 2_048 { require(opens(sealed, key) == place, "a place is read as it was sealed") }
    require(
        opens(sealed, other) == nil && opens(sealed, key, purpose: "q") == nil, "a place is for one key and one purpose"
    )
}

/// Decodes a worker's prompt and, after a separator, the values entered in the prompt's form.
func decodeForm(_ input: [UInt8]) {
    let parts = input.split(separator: FuzzedRecords.separator, maxSplits: 1, omittingEmptySubsequences: false).map(
        Array.init)
    guard let prompt = try? JSONView(parsing: parts[0], limits: .journal), prompt.kind == .object,
        let form = PromptForm(.init(id: "p", prompt: prompt.json))
    else { return }
    let entered = parts.count > 1 ? try? JSONView(parsing: parts[1]) : nil
    for dialect in [FormField.Dialect.titled, .named] {
        require(
            (try? JSONView(parsing: form.schema(dialect).bytes, limits: .journal)) != nil,
            "the schema of a form is JSON")
        do throws(AgentProblem) {
            if case .answer(let answer) = try form.read(entered, dialect: dialect) {
                require(answer.view.kind == .object, "an answer is an object")
            }
        } catch { require(!error.message.isEmpty, "what does not fit is told") }
    }
}

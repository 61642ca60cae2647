import IntentModel
import IntentRuntime

/// Reads one definition file.
struct FileReader {
    let file: String
    let findings: Findings
    /// Reads a file that this file names; the argument is the path as written.
    let attachment: (String) throws -> [UInt8]

    private(set) var types: [String: DeclaredType] = [:]

    init(_ file: String, attachment: @escaping (String) throws -> [UInt8]) {
        self.file = file
        self.attachment = attachment
        findings = Findings(file)
    }

    /// - Returns: The intents that could be read. The list is incomplete if there are problems in the findings.
    mutating func read(_ root: DefinitionNode) -> [FileIntent] {
        let field = Field(node: root, path: [], mark: root.mark, findings: findings)
        guard let members = field.members(.file) else { return [] }
        if let version = members["version"] {
            if version.scalar != "1" { version.refuse("this reader knows version 1, not \(version.node.kind)") }
        } else {
            field.refuse("'version' is missing: begin with 'version: 1'")
        }
        _ = members["domain"]?.text()
        _ = members["description"]?.text()
        readTypes(members)
        let fulfilment = members["fulfilment"].map { FulfilmentReader.read($0, over: PartialFulfilment()) }
        let policy = members["policy"].map { PolicyReader.read($0, over: IntentPolicy()) } ?? IntentPolicy()
        guard let intents = members["intents"] else {
            field.refuse("'intents' is missing: declare at least one intent")
            return []
        }
        guard let entries = intents.entries("a mapping of intents by their names") else { return [] }
        if entries.isEmpty { intents.refuse("there has to be at least one intent") }
        let reader = IntentReader(types: types, policy: policy, fulfilment: fulfilment, source: file)
        return entries.compactMap { reader.read($0.name, $0.field) }
    }

    private mutating func readTypes(_ members: [String: Field]) {
        let own = DeclaredType.named.map(\.key) + ["list", "set", "measurement"]
        for key in ["enumerations", "entities"] {
            guard let section = members[key], let entries = section.entries("a mapping of types by their names") else {
                continue
            }
            for (name, field) in entries {
                if own.contains(name) { field.refuse("'\(name)' is a type of its own: choose another name") }
                if types[name] != nil { field.refuse("there are two types '\(name)': choose another name for one") }
                if key == "entities" {
                    if let catalogue = EntityReader(attachment: attachment).read(name, field) {
                        types[name] = .entity(catalogue)
                    }
                } else {
                    let cases = OptionReader.cases(field)
                    if cases.isEmpty, field.isList || field.isMapping {
                        field.refuse("there has to be at least one option")
                    }
                    types[name] = .enumeration(EnumerationDeclaration(name, cases: cases))
                }
            }
        }
    }
}

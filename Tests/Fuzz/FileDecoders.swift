import IntentFiles
import IntentModel
import IntentRuntime
import RDKafkaLog
import RecordLog

/// Decodes a definition file and, after the byte 0x1E, the catalogue that the file names. The first byte of a JSON file
/// is a brace.
func decodeDefinition(_ input: [UInt8]) {
    let parts = input.split(separator: FuzzedRecords.separator, maxSplits: 1, omittingEmptySubsequences: false)
    let name = input.first == UInt8(ascii: "{") ? "fuzz.intents.json" : "fuzz.intents.yaml"
    do {
        let files = try DefinitionFiles([(name, Array(parts[0]))]) { _, _ in parts.count > 1 ? Array(parts[1]) : [] }
        require(files.changes(since: files).isEmpty, "a file does not differ from itself")
        do { _ = try IntentRegistry([], declared: files.declarations) } catch {
            require(!"\(error)".isEmpty, "a declaration that is refused is told why")
        }
    } catch {
        require(!error.problems.isEmpty, "a file that is refused has a problem")
        for problem in error.problems { require(!problem.message.isEmpty, "a problem says what is wrong") }
    }
}

func decodeTranslations(_ input: [UInt8]) {
    do {
        let table = try LocalizedTable(json: input)
        for language in table.languages.prefix(8) {
            require(!language.isEmpty || table.languages.count > 0, "a language has a tag")
        }
    } catch {
        require(!error.message.isEmpty, "a table that is refused is told why")
    }
}

func decodeProperties(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    do {
        let properties = try KafkaConfiguration.properties(parsing: text)
        for (name, value) in properties {
            require(!name.isEmpty, "a property has a name")
            require(
                !name.contains(where: \.isNewline) && !value.contains(where: \.isNewline), "a property is on one line")
            _ = KafkaConfiguration.isSecret(name)
        }
    } catch {
        require(!error.message.isEmpty, "a file that is refused is told why")
    }
    do { _ = try KafkaConfiguration.property(parsing: text) } catch {
        require(!error.message.isEmpty, "an argument that is refused is told why")
    }
}

import ArgumentParser

/// The form of a command's output: text for people, or one JSON object per line.
struct OutputOptions: ParsableArguments {
    enum Form: String, ExpressibleByArgument, CaseIterable { case text, json }

    @Flag(name: .customLong("json"), help: "Print one JSON object per line.")
    private var isJSONAsked = false

    /// The form, as earlier versions have spelt it.
    @Option(name: .customLong("output"), help: .hidden)
    private var form = Form.text

    var isJSON: Bool { isJSONAsked || form == .json }
}

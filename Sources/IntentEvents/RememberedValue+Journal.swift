import Conversation
import IntentModel

extension RememberedValue: JournalObject {
    static var blank: RememberedValue { RememberedValue(key: "", value: nil, time: Instant(milliseconds: 0)) }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("key", &key)
        try coder.field("value", &value)
        try coder.field("source", &source, default: .resolved)
        try coder.field("intent", &intent)
        try coder.field("time", &time)
    }
}

extension PersonMemory: JournalValue {
    func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for var value in values { value.write(to: &writer) }
        writer.endArray()
    }

    init(journal view: JSONView) throws(JournalFault) {
        let values: [RememberedValue] = try Array(journal: view)
        self.init(values)
    }
}

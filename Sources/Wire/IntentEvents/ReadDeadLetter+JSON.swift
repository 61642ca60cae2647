import Conversation
package import IntentModel
import RecordLog

extension ReadDeadLetter {
    /// Returns the letter as JSON.
    ///
    /// - Parameters:
    ///   - isWhole: `true` includes headers and value.
    ///   - maximumValue: The number of bytes of the value after which it is cut off; `valueBytes` tells the size.
    package func json(mark: DeadLetterMark? = nil, isWhole: Bool, maximumValue: Int = .max) -> JSON {
        .make { writer in
            writer.beginObject()
            writer.member("letter", place.description)
            writer.member("time", Instant(milliseconds: timestamp).description)
            writer.member("session", ifPresent: session)
            writer.member("topic", original.topic)
            writer.member("partition", Int(original.partition))
            writer.member("offset", Int(original.offset))
            writer.member("id", eventID)
            writer.member("stage", stage)
            writer.member("reason", reason)
            writer.member("message", message)
            writer.member("attempt", attempt)
            if let excerpt {
                writer.name("excerptOf")
                writer.beginObject()
                writer.member("bytes", excerpt.bytes)
                writer.member("sha256", excerpt.sha256)
                writer.endObject()
            }
            if let range {
                writer.name("rangeOf")
                writer.beginObject()
                writer.member("lastOffset", Int(range.last))
                writer.member("records", range.records)
                writer.endObject()
            }
            if let mark {
                writer.member(
                    named: mark.kind.rawValue, .object(["at": .string(mark.at.description), "by": .string(mark.by)]))
            }
            if isWhole {
                if let key = original.key { writer.bytes("key", key) }
                writer.name("headers")
                writer.beginArray()
                for header in original.headers {
                    writer.beginObject()
                    writer.member("name", header.name)
                    if let value = header.value { writer.bytes("value", value) }
                    writer.endObject()
                }
                writer.endArray()
                if let value = original.value, value.count > maximumValue {
                    writer.member("valueBytes", value.count)
                    writer.member("value", String(decoding: value.prefix(maximumValue), as: UTF8.self))
                } else if let value = original.value {
                    writer.bytes("value", value)
                }
            }
            writer.endObject()
        }
    }
}

extension Bytes {
    /// Two digits for each byte.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension JSONWriter {
    /// Writes the bytes as text if they are UTF-8, otherwise as hexadecimal digits in `{"hex":…}`.
    fileprivate mutating func bytes(_ name: StaticString, _ bytes: Bytes) {
        if let text = String(validating: bytes, as: UTF8.self) {
            member(name, text)
        } else {
            member(name, .object(["hex": .string(bytes.hexadecimal)]))
        }
    }
}

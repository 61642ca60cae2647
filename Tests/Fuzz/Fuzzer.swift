import Foundation
import IntentModel

// The program that libFuzzer runs: `intents-fuzz --decoder=NAME` with libFuzzer's own options. deploy/fuzz.sh builds
// and starts it.

/// A function that reads one input with a decoder, and traps if a promise about the decoder is broken.
typealias Decoder = @Sendable ([UInt8]) -> Void

/// The decoders of all bytes from outside, by the name for `--decoder`.
let decoders: KeyValuePairs<String, Decoder> = [
    "json": decodeJSON,
    "request": decodeRequest,
    "outcome": decodeOutcome,
    "work": decodeWork,
    "catalogue": decodeCatalogue, "memory": decodeMemory, "result": decodeResults,
    "session": decodeSession,
    "journal": decodeJournal,
    "encryption": decodeEncryption,
    "dead-letter": decodeDeadLetter,
    "reply": decodeReply,
    "callback": decodeCallback,
    "url": decodeURL,
    "definition": decodeDefinition,
    "translations": decodeTranslations,
    "properties": decodeProperties,
    "text": decodeText,
    "value": decodeValue,
    "rpc": decodeRPC,
    "form": decodeForm,
]

/// Ends the process if a promise does not hold. libFuzzer saves the input and prints its path.
func require(_ holds: Bool, _ promise: @autoclosure () -> String) {
    if holds { return }
    complain("== broken promise: \(promise().printable)")
    fatalError("broken promise")
}

/// Ends the process unless a value is read as it was written.
func requireSame<Value: Equatable>(_ read: Value?, _ written: Value?) {
    require(read == written, "read as written: \(String(describing: written)) became \(String(describing: read))")
}

private func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }

nonisolated(unsafe) private var decode: Decoder = { _ in }

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafePointer<CInt>, _ arguments: UnsafePointer<UnsafePointer<UnsafePointer<CChar>?>>)
    -> CInt
{
    var name: String?
    for index in 1..<max(1, Int(count.pointee)) {
        guard let argument = arguments.pointee[index].map({ String(cString: $0) }) else { continue }
        if argument == "--list" {
            for decoder in decoders { print(decoder.key) }
            exit(0)
        }
        if argument.hasPrefix("--seeds=") {
            Seeds.write(to: String(argument.dropFirst("--seeds=".count)))
            exit(0)
        }
        if argument.hasPrefix("--decoder=") { name = String(argument.dropFirst("--decoder=".count)) }
    }
    guard let found = decoders.first(where: { $0.key == name })?.value else {
        complain("--decoder is one of \(decoders.map(\.key).joined(separator: ", "))")
        exit(2)
    }
    decode = found
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    let started = processorSeconds()
    decode(input)
    if let long = stretched(input) { decode(long) }
    require(processorSeconds() - started < maximumSeconds, "an input takes less than \(maximumSeconds) s of CPU")
    return 0
}

/// The maximum time of an input in seconds of the processor. libFuzzer's own limit uses the wall clock, by which any
/// input is slow on a busy machine.
private let maximumSeconds = 5.0

private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// For one input of 1,024, returns the input with a part of it repeated up to about 64 KiB. libFuzzer hardly ever makes
/// an input that long, and only a long input shows that a decoder takes too long.
private func stretched(_ input: [UInt8]) -> [UInt8]? {
    let hash = input.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    guard !input.isEmpty, hash >> 54 == 0 else { return nil }
    let start = Int(hash >> 8 & 0xFFFF) % input.count
    let length = min(input.count - start, 1 + Int(hash >> 24 & 0x3F))
    let part = input[start..<start + length]
    var long = Array(input[..<start])
    for _ in 0..<(65_000 - min(65_000, input.count)) / length { long += part }
    return long + input[start...]
}

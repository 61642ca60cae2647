import Foundation
import IntentKit
import Testing

import struct IntentKit.Measurement
import enum IntentKit.UnitLength

@Suite("A file that imports Foundation as well") struct FoundationTests {
    @Test func `can choose IntentKit's Measurement`() {
        let radius = Measurement<UnitLength>(value: 5, unit: .kilometers)
        #expect(JSON(radius).description == #"{"value":5,"unit":"km"}"#)
    }
}

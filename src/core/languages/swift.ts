/** Swift. */
import { dots, slashes, words, type Language } from './language.ts';

const query = `
(class_declaration ["class" "struct" "actor"] name: (type_identifier) @name) @class
(class_declaration "enum" name: (type_identifier) @name) @enum
(class_declaration "extension" name: (user_type (type_identifier) @name)) @extension
(protocol_declaration name: (type_identifier) @name) @interface
(typealias_declaration name: (type_identifier) @name) @type
(function_declaration name: (simple_identifier) @name) @function
(protocol_function_declaration name: (simple_identifier) @name) @function
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @field
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @constant)
(import_declaration (identifier) @specifier) @import
(call_expression (simple_identifier) @call)
(call_expression (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @call)))
(simple_identifier) @use (type_identifier) @use
`;

export const swift = {
  files: /\.swift$/i,
  grammars: { swift: { endings: ['swift'], query } },
  comments: { ...slashes, quotes: '"', longQuotes: ['"""'] },
  vocabulary: {
    keywords:
      words(`Any Self actor any as associatedtype async await break case catch class continue convenience default
        defer deinit didSet do dynamic else enum extension fallthrough false fileprivate final for func get guard if
        import in indirect infix init inout internal is isolated lazy let mutating nil nonisolated nonmutating open
        operator optional override package postfix precedencegroup prefix private protocol public repeat required
        rethrows return self set some static struct subscript super switch throw throws true try typealias unowned var
        weak where while willSet`),
    globals:
      words(`AnyObject Array AsyncSequence AsyncStream Bool Character CGFloat CGPoint CGRect CGSize Codable CodingKey
        Collection Comparable CustomStringConvertible Data Date Decodable Decoder Dictionary DispatchQueue Double
        Encodable Encoder Equatable Error FileManager Float Foundation Hashable Identifiable Int Int32 Int64
        IteratorProtocol JSONDecoder JSONEncoder MainActor NSError NSObject Never Notification NotificationCenter
        Optional ProcessInfo Range RawRepresentable Result Sendable Sequence Set String StringProtocol Substring Task
        UInt UInt8 URL URLRequest URLSession UUID UserDefaults Void XCTAssert XCTAssertEqual XCTAssertFalse
        XCTAssertNil XCTAssertNotNil XCTAssertThrowsError XCTAssertTrue XCTFail XCTestCase XCTUnwrap abs assert
        assertionFailure fatalError max min precondition preconditionFailure print stride type zip`),
    members: words(
      'allCases allSatisfy append appending capitalized compactMap contains count description dropFirst ' +
        'dropLast enumerated filter first firstIndex flatMap forEach formatted hasPrefix hasSuffix hash ' +
        'indices insert isEmpty joined keys last lowercased map max min popLast prefix rawValue reduce ' +
        'remove removeAll removeFirst removeLast replacingOccurrences reversed shared shuffled sort ' +
        'sorted split starts suffix sync trimmingCharacters uppercased value values zip',
    ),
    access: dots,
    parameters: 'name-first',
    reach: 'project',
    namesFields: 'colon',
  },
} as const satisfies Language;

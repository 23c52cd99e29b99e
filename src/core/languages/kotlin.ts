/** Kotlin. */
import { java } from './java.ts';
import { words, type Language } from './language.ts';

// Where the grammar is lost it puts in names that are empty.
const query = `
(class_declaration (modifiers (class_modifier) @enum-word) name: (identifier) @name) @enum
((class_declaration "class" name: (identifier) @name) @class)
((class_declaration "interface" name: (identifier) @name) @interface)
(object_declaration name: (identifier) @name) @class
(type_alias type: (identifier) @name) @type
((function_declaration name: (identifier) @name) @function (#not-match? @name "^$|^\`.* "))
((function_declaration name: (identifier) @name) @test (#match? @name "^\`.* "))
(secondary_constructor "constructor" @name) @method
(class_parameter ["val" "var"] (identifier) @name ":") @field
(class_body (property_declaration (variable_declaration . (identifier) @name)) @field)
(enum_class_body (property_declaration (variable_declaration . (identifier) @name)) @field)
(enum_entry (identifier) @name) @field
(source_file (property_declaration (variable_declaration . (identifier) @name)) @constant)
(import) @import @specifier
(call_expression . (identifier) @call)
(call_expression . (navigation_expression (identifier) @call .))
(constructor_invocation (user_type (identifier) @call .))
(identifier) @use
(package_header (qualified_identifier (identifier) @label))
(value_argument . (identifier) @label "=")
[
  (class_declaration) (object_declaration) (function_declaration) (secondary_constructor) (anonymous_function)
  (lambda_literal) (for_statement) (catch_block) (getter) (setter) (anonymous_initializer) (when_expression)
] @scope
(parameter . (identifier) @local)
(class_parameter (identifier) @local ":")
(variable_declaration . (identifier) @local)
(catch_block . (identifier) @local)
(type_parameter . (identifier) @local)
`;

export const kotlin = {
  files: /\.kts?$/i,
  grammars: { kotlin: { endings: ['kt', 'kts'], query } },
  comments: { ...java.comments, quotes: '"\'' },
  vocabulary: {
    ...java.vocabulary,
    keywords:
      words(`abstract actual annotation as break by catch class companion const constructor continue crossinline data
        do else enum expect external false final finally for fun get if import in infix init inline inner interface
        internal is it lateinit noinline null object open operator out override package private protected public
        reified return sealed set super suspend tailrec this throw true try typealias val value var vararg when where
        while field`),
    globals: new Set([
      ...java.vocabulary.globals,
      ...words(`Annotation ArrayList BooleanArray ByteArray CharArray Collection Comparator DoubleArray FloatArray
        HashMap HashSet IntArray IntRange Iterator JvmField JvmInline JvmName JvmOverloads JvmStatic Lazy
        LinkedHashMap LongArray LongRange MutableCollection MutableIterator MutableList MutableMap MutableSet Pair
        Regex Result Sequence Short ShortArray Suppress Throws Triple UByte UInt ULong UShort apply arrayOf
        arrayListOf assertEquals assertFalse assertNotNull assertNull assertTrue assertFailsWith buildList buildMap
        buildString byteArrayOf check checkNotNull emptyList emptyMap emptySet error hashMapOf intArrayOf lazy let
        linkedMapOf listOfNotNull longArrayOf maxOf minOf mutableMapOf mutableSetOf repeat requireNotNull run
        runCatching sequence sequenceOf setOf sortedMapOf synchronized to TODO use with`),
    ]),
    members: new Set([
      ...java.vocabulary.members,
      ...words(`also all any associate associateBy associateWith code component1 component2 contentEquals copy
        copyInto copyOf count decodeToString distinct drop encodeToByteArray endsWith entries filterIsInstance
        filterNot filterNotNull first firstOrNull flatMap fold forEachIndexed getOrDefault getOrElse getOrNull
        getOrPut groupBy indices invoke isBlank isNotEmpty isNotBlank isNullOrEmpty joinToString keys last lastIndex
        lastOrNull lazy let lines lowercase mapIndexed mapNotNull max maxByOrNull message min minByOrNull minus none
        ordinal partition plus plusAssign removeAt removeSuffix removePrefix replaceFirst resume reversed run single
        sortedBy startsWith substringAfter substringBefore sum sumOf take takeIf takeUnless toByteArray toMutableList
        toMutableMap toRegex toSet trimIndent uppercase use with withIndex zip`),
    ]),
    parameters: 'name-first',
  },
} as const satisfies Language;

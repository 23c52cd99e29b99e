/** Java. */
import { dots, slashes, words, type Language } from './language.ts';

const query = `
(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(annotation_type_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(annotation_type_element_declaration name: (identifier) @name) @method
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @field
(enum_constant name: (identifier) @name) @field
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @field))
(import_declaration (_) @specifier) @import
(method_invocation name: (identifier) @call)
(object_creation_expression type: (type_identifier) @call)
(identifier) @use
(type_identifier) @use
(element_value_pair key: (identifier) @label)
[
  (class_declaration) (interface_declaration) (method_declaration) (constructor_declaration) (lambda_expression)
  (catch_clause) (static_initializer)
] @scope
(formal_parameter name: (identifier) @local)
(spread_parameter (variable_declarator name: (identifier) @local))
(inferred_parameters (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(local_variable_declaration declarator: (variable_declarator name: (identifier) @local))
(enhanced_for_statement name: (identifier) @local)
(resource name: (identifier) @local)
(catch_formal_parameter name: (identifier) @local)
(instanceof_expression name: (identifier) @local)
(type_parameter (type_identifier) @local)
`;

export const java = {
  files: /\.(?:java|groovy)$/i,
  grammars: { java: { endings: ['java'], query } },
  comments: { ...slashes, longQuotes: ['"""'] },
  vocabulary: {
    keywords:
      words(`abstract assert boolean break byte case catch char class const continue default do double else enum
        extends final finally float for goto if implements import instanceof int interface long native new null
        package permits private protected public record return sealed short static strictfp super switch synchronized
        this throw throws transient true false try var void volatile while yield fun val when is in object companion
        override open data suspend func let guard self init where extension protocol struct def trait given using then
        lazy implicit match with`),
    globals:
      words(`Appendable ArithmeticException Array ArrayIndexOutOfBoundsException AssertionError AutoCloseable Boolean
        Byte CharSequence Character Class ClassCastException ClassLoader ClassNotFoundException Cloneable
        CloneNotSupportedException Comparable Deprecated Double Enum Error Exception Float FunctionalInterface
        IllegalAccessException IllegalArgumentException IllegalStateException IndexOutOfBoundsException Integer
        InterruptedException Iterable Long Math NegativeArraySizeException NoSuchFieldException NoSuchMethodException
        NullPointerException Number NumberFormatException Object OutOfMemoryError Override Process ProcessBuilder
        Record Runnable Runtime RuntimeException SafeVarargs SecurityException Short StackOverflowError
        StackTraceElement String StringBuffer StringBuilder SuppressWarnings System Thread ThreadLocal Throwable
        UnsupportedOperationException Void List Map Set Int Any Unit Nothing println print listOf mapOf setOf
        mutableListOf require check Option Some None Seq Vector Future Bool Dictionary`),
    members: words(
      'accept add addAll append apply charAt clear close collect compareTo contains containsKey equals ' +
        'filter find first forEach format get getClass getName hasNext hashCode indexOf isEmpty isPresent ' +
        'iterator join keySet last length map name next of orElse parse println put remove replace run ' +
        'set size sort split stream substring test toArray toList toLowerCase toString toUpperCase trim ' +
        'valueOf values write',
    ),
    access: dots,
    parameters: 'type-first',
    reach: 'package',
    namesFields: 'none',
  },
} as const satisfies Language;

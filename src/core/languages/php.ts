/** PHP. */
import { slashes, words, type Language } from './language.ts';

const query = `
(function_definition name: (name) @name) @function
(method_declaration name: (name) @name) @method
(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @class
(enum_declaration name: (name) @name) @enum
(const_element (name) @name) @constant
(property_element name: (variable_name (name) @name)) @field
(property_promotion_parameter name: (variable_name (name) @name)) @field
(enum_case name: (name) @name) @field
(namespace_use_clause [(qualified_name) (name)] @specifier) @import
(require_once_expression (_) @specifier) @import
(require_expression (_) @specifier) @import
(include_expression (_) @specifier) @import
(include_once_expression (_) @specifier) @import
(function_call_expression function: (name) @call)
(member_call_expression name: (name) @call)
(scoped_call_expression name: (name) @call)
(object_creation_expression (name) @call)
(name) @use
(namespace_definition name: (namespace_name (name) @label))
(argument name: (name) @label)
[(function_definition) (method_declaration) (anonymous_function) (arrow_function) (catch_clause)] @scope
(simple_parameter name: (variable_name (name) @local))
(variadic_parameter name: (variable_name (name) @local))
(assignment_expression left: (variable_name (name) @local))
(reference_assignment_expression left: (variable_name (name) @local))
(list_literal (variable_name (name) @local))
(foreach_statement (pair (variable_name (name) @local)))
(foreach_statement (variable_name (name) @local) body: (_))
(catch_clause name: (variable_name (name) @local))
(static_variable_declaration name: (variable_name (name) @local))
(global_declaration (variable_name (name) @local))
`;

export const php = {
  files: /\.php$/i,
  grammars: { php: { endings: ['php'], query } },
  comments: { ...slashes, lineComment: /\/\/|#(?!\[)/y },
  vocabulary: {
    keywords:
      words(`abstract and array as bool break callable case catch class clone const continue declare default die do
        echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile enum eval exit extends false
        final finally float fn for foreach function global goto if implements include include_once instanceof
        insteadof int interface isset iterable list match mixed namespace never new null object or parent print
        private protected public readonly require require_once return self static string switch this throw trait true
        try unset use var void while xor yield`),
    globals:
      words(`ArgumentCountError ArrayAccess ArrayIterator ArrayObject Closure Countable DateInterval DateTime
        DateTimeImmutable DateTimeInterface DateTimeZone Error ErrorException Exception Generator
        InvalidArgumentException Iterator IteratorAggregate JsonException JsonSerializable LogicException
        OutOfBoundsException PDO PDOException ReflectionClass RuntimeException SplFileInfo SplObjectStorage Stringable
        Throwable Traversable TypeError UnexpectedValueException ValueError WeakMap array_diff array_fill array_filter
        array_flip array_key_exists array_keys array_map array_merge array_pop array_push array_reduce array_search
        array_shift array_slice array_splice array_unique array_unshift array_values array_walk base64_decode
        base64_encode basename call_user_func ceil class_exists compact count current date define defined dirname end
        explode extract fclose feof fgets file_exists file_get_contents file_put_contents floor fopen fread
        func_get_args function_exists fwrite get_class gettype hash header implode in_array ini_set intval is_array
        is_bool is_callable is_dir is_file is_int is_null is_numeric is_object is_string iterator_to_array json_decode
        json_encode key ksort ltrim max mb_strlen mb_substr md5 method_exists microtime min mkdir next number_format
        ob_get_clean ob_start parse_url preg_match preg_match_all preg_quote preg_replace preg_replace_callback
        preg_split printf rand random_bytes range realpath reset round rtrim serialize sha1 sleep sort spl_object_hash
        sprintf str_contains str_pad str_repeat str_replace str_starts_with str_ends_with strcmp stripos strlen strpos
        strrpos strstr strtolower strtotime strtoupper substr time trigger_error trim ucfirst uniqid unlink
        unserialize urlencode usleep usort var_dump var_export __DIR__ __FILE__ __CLASS__ __FUNCTION__ __LINE__
        __METHOD__ __NAMESPACE__ PHP_EOL PHP_INT_MAX PHP_VERSION`),
    members: words(
      'add all bind close count create current execute fetch filter find first format get getCode ' +
        'getMessage getName getTraceAsString has key keys last map merge name next offsetGet prepare push ' +
        'remove rewind set toArray valid value values __construct __toString __get __set __call __invoke',
    ),
    access: /(?:\??->|::)\s*$/,
    parameters: 'type-first',
    reach: 'project',
    namesFields: 'colon',
  },
} as const satisfies Language;

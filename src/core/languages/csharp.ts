/** C#. */
import { dots, slashes, words, type Language } from './language.ts';

const query = `
(class_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(delegate_declaration name: (identifier) @name) @type
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(property_declaration name: (identifier) @name) @method
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field
(enum_member_declaration name: (identifier) @name) @field
(local_function_statement name: (identifier) @name) @function
(namespace_declaration name: (_) @name) @module
(using_directive [(identifier) (qualified_name)] @specifier) @import
(invocation_expression function: (identifier) @call)
(invocation_expression function: (member_access_expression name: (identifier) @call))
(object_creation_expression type: (identifier) @call)
(identifier) @use
[
  (class_declaration) (interface_declaration) (struct_declaration) (record_declaration) (method_declaration)
  (constructor_declaration) (local_function_statement) (lambda_expression) (catch_clause) (accessor_declaration)
] @scope
(parameter name: (identifier) @local)
(type_parameter name: (identifier) @local)
(local_declaration_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(for_statement initializer: (variable_declaration (variable_declarator name: (identifier) @local)))
(using_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(foreach_statement left: (identifier) @local)
(catch_declaration name: (identifier) @local)
(declaration_pattern name: (identifier) @local)
(declaration_expression name: (identifier) @local)
`;

export const csharp = {
  files: /\.cs$/i,
  grammars: { c_sharp: { endings: ['cs'], query } },
  comments: { ...slashes, longQuotes: ['"""'] },
  vocabulary: {
    keywords:
      words(`abstract add and as async await base bool break byte case catch char checked class const continue
        decimal default delegate do double dynamic else enum event explicit extern false field file finally fixed
        float for foreach from get global goto group if implicit in init int interface internal into is join let lock
        long nameof namespace new not null object on operator or orderby out override params partial private protected
        public readonly record ref remove required return sbyte scoped sealed select set short sizeof stackalloc
        static string struct switch this throw true try typeof uint ulong unchecked unmanaged unsafe ushort using
        value var virtual void volatile when where while with yield nint nuint notnull`),
    globals:
      words(`Action AggregateException AppContext AppDomain ArgumentException ArgumentNullException
        ArgumentOutOfRangeException Array Attribute Boolean Buffer Byte CancellationToken CancellationTokenSource Char
        Console Convert DateTime DateTimeOffset Decimal Delegate Dictionary Directory Double Encoding Enum Environment
        EventArgs Exception File FileStream FormatException Func GC Guid HashSet HttpClient IAsyncDisposable
        IAsyncEnumerable ICollection IComparable IDictionary IDisposable IEnumerable IEnumerator IEquatable IList
        IReadOnlyCollection IReadOnlyDictionary IReadOnlyList Int16 Int32 Int64 InvalidOperationException
        JsonSerializer KeyValuePair Lazy List Math Memory MemoryStream NotImplementedException NotSupportedException
        NullReferenceException Nullable Object ObjectDisposedException Obsolete OperationCanceledException Path
        Predicate Queue Random ReadOnlyMemory ReadOnlySpan Regex Serializable Span Stack Stopwatch Stream StreamReader
        StreamWriter String StringBuilder StringComparison Task TaskCompletionSource Thread TimeSpan Tuple Type Uri
        ValueTask ValueTuple Version Fact Theory InlineData Assert`),
    members: words(
      'Add AddRange Any Append Clear Concat Contains ContainsKey Count Dispose Distinct ElementAt ' +
        'Equals First FirstOrDefault Format GetHashCode GetType IndexOf Insert Invoke Join Key Keys Last ' +
        'Length Max Message Min Name OrderBy Parse Remove Replace Result Reverse Select SelectMany Single ' +
        'Skip Sort Split StartsWith EndsWith Substring Sum Take ToArray ToDictionary ToList ToLower ' +
        'ToString ToUpper Trim TryGetValue TryParse Value Values Where WriteLine',
    ),
    access: dots,
    parameters: 'type-first',
    reach: 'project',
    namesFields: 'none',
  },
} as const satisfies Language;

/** Python 3. */
import { dots, hashes, words, type Language } from './language.ts';

const query = `
(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @class
(module (expression_statement (assignment left: (identifier) @name) @constant))
(module (if_statement (block (expression_statement (assignment left: (identifier) @name) @constant))))
(module (if_statement (else_clause (block (expression_statement (assignment left: (identifier) @name) @constant)))))
(module (try_statement (block (expression_statement (assignment left: (identifier) @name) @constant))))
(module (try_statement (except_clause (block (expression_statement (assignment left: (identifier) @name) @constant)))))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @field)))
(assignment left: (attribute object: (identifier) @self-word attribute: (identifier) @name)) @field
(import_statement name: (dotted_name) @specifier) @import
(import_statement name: (aliased_import name: (dotted_name) @specifier)) @import
(import_from_statement module_name: (_) @specifier) @import
(call function: (identifier) @call)
(call function: (attribute attribute: (identifier) @call))
(decorator (identifier) @call)
(identifier) @use
(keyword_argument name: (identifier) @label)
[(function_definition) (lambda) (list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @scope
(parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(typed_parameter (identifier) @local)
(default_parameter name: (identifier) @local)
(typed_default_parameter name: (identifier) @local)
(list_splat_pattern (identifier) @local)
(dictionary_splat_pattern (identifier) @local)
(assignment left: (identifier) @local)
(pattern_list (identifier) @local)
(tuple_pattern (identifier) @local)
(list_pattern (identifier) @local)
(for_statement left: (identifier) @local)
(for_in_clause left: (identifier) @local)
(as_pattern_target (identifier) @local)
(as_pattern_target (tuple (identifier) @local))
(named_expression name: (identifier) @local)
(case_pattern (dotted_name . (identifier) @local .))
`;

export const python = {
  files: /\.pyi?$/i,
  grammars: { python: { endings: ['py'], query } },
  comments: { ...hashes, longQuotes: ['"""', "'''"] },
  vocabulary: {
    keywords:
      words(`False None True and as assert async await break class continue def del elif else except finally for from
        global if import in is lambda match case nonlocal not or pass raise return try type while with yield self cls
        _ print`),
    globals:
      words(`ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
        BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError
        ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis EnvironmentError Exception
        ExceptionGroup FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError
        ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError
        KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplemented
        NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError
        RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration
        SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError
        UnicodeDecodeError UnicodeEncodeError UnicodeError UserWarning ValueError Warning ZeroDivisionError __all__
        __builtins__ __class__ __dict__ __doc__ __file__ __init__ __main__ __module__ __name__ __package__ __path__
        __version__ abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile
        complex copyright delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr
        globals hasattr hash help hex id input int isinstance issubclass iter len license list locals map max
        memoryview min next object oct open ord pow print property quit range repr reversed round set setattr slice
        sorted staticmethod str sum super tuple type vars zip __import__ unicode long basestring xrange raw_input`),
    members:
      words(`add append args capitalize clear close copy count data decode discard encode endswith errno exists
        extend find format get getvalue group groups index insert isdigit isoformat items join keys lower lstrip match
        mkdir name open parent path pop popitem read readline readlines remove replace reverse rstrip search seek
        setdefault sort split splitlines startswith status_code strip sub text title update upper value values write
        writelines __call__ __enter__ __eq__ __exit__ __getitem__ __getattr__ __hash__ __init__ __iter__ __len__
        __new__ __next__ __repr__ __setattr__ __setitem__ __str__`),
    access: dots,
    parameters: 'name-first',
    reach: 'import',
    namesFields: 'equals',
  },
} as const satisfies Language;

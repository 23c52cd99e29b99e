/** C and C++. A macro can hide what a file defines; what is left of it is still found. */
import { slashes, words, type Language } from './language.ts';

const c = `
(function_definition) @function
(struct_specifier name: (type_identifier) @name body: (_)) @class
(union_specifier name: (type_identifier) @name body: (_)) @class
(enum_specifier name: (type_identifier) @name body: (_)) @enum
(type_definition declarator: (type_identifier) @name) @type
(field_declaration
  declarator: [
    (field_identifier) @name (pointer_declarator declarator: (field_identifier) @name)
    (array_declarator declarator: (field_identifier) @name)
  ]) @field
(enumerator name: (identifier) @name) @field
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro
(preproc_include path: (_) @specifier) @import
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(identifier) @use
(type_identifier) @use
(field_identifier) @use
(function_definition) @scope
(parameter_declaration
  declarator: [
    (identifier) @local (pointer_declarator declarator: (identifier) @local)
    (array_declarator declarator: (identifier) @local)
  ])
(declaration
  declarator: [
    (identifier) @local (pointer_declarator declarator: (identifier) @local)
    (array_declarator declarator: (identifier) @local)
  ])
(init_declarator
  declarator: [
    (identifier) @local (pointer_declarator declarator: (identifier) @local)
    (array_declarator declarator: (identifier) @local)
  ])
`;

const cpp = `${c}
(class_specifier name: (type_identifier) @name body: (_)) @class
(namespace_definition name: (namespace_identifier) @name) @module
(alias_declaration name: (type_identifier) @name) @type
(call_expression function: (qualified_identifier name: (identifier) @call))
(namespace_identifier) @use
(lambda_expression) @scope (template_declaration) @scope
(reference_declarator (identifier) @local)
(for_range_loop declarator: (identifier) @local)
(structured_binding_declarator (identifier) @local)
(type_parameter_declaration (type_identifier) @local)
`;

export const cFamily = {
  files: /\.(?:c|h|cc|cpp|cxx|hh|hpp|hxx|m|mm)$/i,
  grammars: {
    c: { endings: ['c', 'h'], query: c },
    cpp: { endings: ['cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx'], query: cpp },
  },
  comments: slashes,
  vocabulary: {
    keywords:
      words(`alignas alignof and asm auto bool break case catch char class co_await co_return co_yield concept const
        const_cast consteval constexpr constinit continue decltype default defined delete do double dynamic_cast else
        enum explicit export extern false final float for friend goto if inline int long mutable namespace new
        noexcept not nullptr operator or override private protected public register reinterpret_cast requires restrict
        return short signed sizeof static static_assert static_cast struct switch template this thread_local throw
        true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor _Bool
        _Static_assert __attribute__ __inline __restrict ifdef ifndef endif`),
    globals:
      words(`EINVAL ENOENT ENOMEM EOF EXIT_FAILURE EXIT_SUCCESS FILE INT_MAX INT_MIN NULL SIZE_MAX UINT32_MAX abort
        abs assert atoi atol bsearch calloc clock_t errno exit fclose feof ferror fflush fgetc fgets fopen fprintf
        fputc fputs fread free freopen fseek ftell fwrite getchar getenv int16_t int32_t int64_t int8_t intmax_t
        intptr_t isalnum isalpha isdigit isspace isupper labs longjmp malloc memchr memcmp memcpy memmove memset off_t
        perror pid_t printf ptrdiff_t putc putchar puts qsort rand realloc remove rename rewind scanf setjmp signal
        size_t snprintf sprintf srand sscanf ssize_t stderr stdin stdout strcat strchr strcmp strcpy strdup strerror
        strlen strncat strncmp strncpy strrchr strstr strtod strtok strtol strtoul time time_t tolower toupper
        uint16_t uint32_t uint64_t uint8_t uintmax_t uintptr_t va_arg va_end va_list va_start vfprintf vsnprintf std
        string vector map set unordered_map unordered_set unique_ptr shared_ptr make_unique make_shared move forward
        optional variant pair tuple array cout cerr endl`),
    members: words(
      'at back begin c_str clear count data emplace emplace_back empty end erase find first front get ' +
        'insert length lock pop pop_back push push_back release reserve reset resize second size str ' +
        'substr swap unlock value',
    ),
    access: /(?:\.|->|::)\s*$/,
    parameters: 'type-first',
    reach: 'project',
    namesFields: 'none',
  },
} as const satisfies Language;

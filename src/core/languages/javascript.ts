/** JavaScript and TypeScript, in browsers and in Node. A test case is a call with a title. */
import { dots, slashes, words, type Language } from './language.ts';

const script = `
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(class_declaration name: (_) @name) @class
(method_definition name: (_) @name) @method
(variable_declarator
  name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)]) @function
(program (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
(program (variable_declaration (variable_declarator name: (identifier) @name) @constant))
(program
  (expression_statement
    (assignment_expression left: (member_expression property: (property_identifier) @name)) @constant))
(assignment_expression left: (member_expression object: (this) property: (property_identifier) @name)) @field
(export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
(assignment_expression
  left: (member_expression property: (property_identifier) @name)
  right: [(arrow_function) (function_expression)]) @function
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @method
(call_expression
  function: (identifier) @test-word
  arguments: (arguments . [(string) (template_string)] @name)) @test
(call_expression
  function: (member_expression object: (identifier) @test-word)
  arguments: (arguments . [(string) (template_string)] @name)) @test
(import_statement source: (string) @specifier) @import
(export_statement source: (string) @specifier) @import
(call_expression function: (import) arguments: (arguments . (string) @specifier)) @import
(call_expression function: (identifier) @require-word arguments: (arguments . (string) @specifier)) @import
(call_expression function: (identifier) @call)
(call_expression function: (member_expression property: (property_identifier) @call))
(new_expression constructor: (identifier) @call)
(identifier) @use
(property_identifier) @use
(shorthand_property_identifier) @use
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @use)
  value: (call_expression arguments: (arguments . (string))))
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @use)
  value: (await_expression (call_expression function: (import))))
[
  (function_declaration) (generator_function_declaration) (function_expression) (generator_function)
  (arrow_function) (method_definition) (catch_clause)
] @scope
(arrow_function parameter: (identifier) @local)
(function_expression name: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(variable_declarator name: (identifier) @local)
(for_in_statement left: (identifier) @local)
(shorthand_property_identifier_pattern) @local
(pair_pattern value: (identifier) @local)
(assignment_pattern left: (identifier) @local)
(array_pattern (identifier) @local)
(rest_pattern (identifier) @local)
`;

const plain = `${script}
(formal_parameters (identifier) @local)
(field_definition property: (property_identifier) @name) @field
(field_definition property: (property_identifier) @name value: [(arrow_function) (function_expression)]) @method
`;

const jsx = `
(jsx_opening_element name: (identifier) @call)
(jsx_self_closing_element name: (identifier) @call)
`;

const typescript = `${script}
(abstract_class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @enum
(internal_module name: (_) @name) @module
(function_signature name: (_) @name) @function
(abstract_method_signature name: (_) @name) @method
(method_signature name: (_) @name) @method
(public_field_definition name: (property_identifier) @name) @field
(public_field_definition name: (property_identifier) @name value: [(arrow_function) (function_expression)]) @method
(property_signature name: (property_identifier) @name) @field
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @field
(enum_body name: (property_identifier) @name @field)
(enum_assignment name: (property_identifier) @name) @field
(type_identifier) @use
[(class_declaration) (abstract_class_declaration) (interface_declaration) (type_alias_declaration) (method_signature) (function_signature) (abstract_method_signature) (call_signature) (function_type)] @scope
(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(type_parameter name: (type_identifier) @local)
(infer_type (type_identifier) @local)
(mapped_type_clause name: (type_identifier) @local)
`;

export const javascript = {
  files: /\.(?:[cm]?js|jsx|[cm]?ts|tsx)$/i,
  grammars: {
    javascript: { endings: ['js', 'mjs', 'cjs', 'jsx'], query: `${plain}${jsx}` },
    typescript: { endings: ['ts', 'mts', 'cts'], query: typescript },
    tsx: { endings: ['tsx'], query: `${typescript}${jsx}` },
  },
  comments: { ...slashes, longQuotes: ['`'], hasRegularExpressions: true },
  vocabulary: {
    keywords:
      words(`abstract any as asserts async await bigint boolean break case catch class const constructor continue
        debugger declare default delete do else enum export extends false finally for from function get if implements
        import in infer instanceof interface is keyof let module namespace never new null number object of override
        package private protected public readonly require return satisfies set static string super switch symbol this
        throw true try type typeof undefined unique unknown var void while with yield accessor using global target
        meta arguments NaN Infinity`),
    globals:
      words(`AbortController AbortSignal AggregateError Array ArrayBuffer Atomics Awaited BigInt Blob Boolean
        BroadcastChannel Buffer CSS CustomEvent DOMException DOMParser DataTransfer DataView Date Document
        DocumentFragment DragEvent Element Error EvalError Event EventSource EventTarget Exclude Extract File FileList
        FileReader Float32Array Float64Array FocusEvent FormData Function HTMLAnchorElement HTMLButtonElement
        HTMLCanvasElement HTMLDivElement HTMLElement HTMLFormElement HTMLImageElement HTMLInputElement
        HTMLSelectElement HTMLSpanElement HTMLTextAreaElement HTMLVideoElement Headers History Image InputEvent
        InstanceType Int16Array Int32Array Int8Array IntersectionObserver Intl Iterable IterableIterator Iterator
        AsyncIterable AsyncIterator AsyncGenerator Generator JSON JSX KeyboardEvent Location Map Math MediaQueryList
        MessageEvent MouseEvent MutationObserver Navigator Node NodeJS NodeList NonNullable Notification Number Object
        Omit Parameters Partial PartialRecord Performance Pick PointerEvent Promise PromiseLike PropertyKey Proxy
        Range RangeError React ReadableStream Readonly ReadonlyArray ReadonlyMap ReadonlySet Record ReferenceError
        Reflect RegExp RegExpExecArray RegExpMatchArray Request Required ResizeObserver Response ReturnType Screen
        Selection Set SharedArrayBuffer ShadowRoot Storage String Symbol SyntaxError TemplateStringsArray Text
        TextDecoder TextEncoder ThisType Touch TouchEvent TransformStream TypeError URIError URL URLSearchParams
        Uint16Array Uint32Array Uint8Array Uint8ClampedArray Uncapitalize Capitalize Uppercase Lowercase WeakMap
        WeakRef WeakSet WebAssembly WebSocket WheelEvent Window Worker WritableStream XMLHttpRequest __dirname
        __filename alert atob btoa cancelAnimationFrame clearImmediate clearInterval clearTimeout confirm console
        crypto customElements decodeURI decodeURIComponent document encodeURI encodeURIComponent escape eval exports
        fetch getComputedStyle getSelection globalThis history indexedDB isFinite isNaN localStorage location
        matchMedia module navigator parseFloat parseInt performance postMessage process prompt queueMicrotask
        requestAnimationFrame requestIdleCallback screen self sessionStorage setImmediate setInterval setTimeout
        structuredClone unescape window afterAll afterEach beforeAll beforeEach before after describe expect it jest
        test vi suite mocha`),
    members:
      words(`add all allSettled any append apply apply assign at bind body call catch charAt charCodeAt childNodes
        children classList clear click clone close closest codePointAt concat contains content copyWithin create
        createElement dataset data defineProperty delete dispatchEvent emit endsWith entries error every exec fill
        filter finally find findIndex findLast findLastIndex flat flatMap focus forEach freeze from fromEntries get
        getAttribute getElementById getItem getTime has hasOwn hasOwnProperty href id includes indexOf info innerHTML
        innerText isArray isInteger join key keys lastIndexOf length log map match matchAll max message method min
        name next now off on once open parse parentNode pathname pipe pop preventDefault props prototype push
        querySelector querySelectorAll race reduce reduceRight ref reject remove removeAttribute removeEventListener
        removeItem replace replaceAll resolve reverse round search send set setAttribute setItem shift size slice some
        sort splice split stack startsWith state status stopPropagation stringify style substr substring tagName
        target test text textContent then toFixed toISOString toLocaleString toLowerCase toString toUpperCase toSorted
        toReversed trim trimEnd trimStart type unshift url value valueOf values warn write addEventListener floor ceil
        abs`),
    access: dots,
    parameters: 'name-first',
    reach: 'import',
    namesFields: 'colon',
  },
} as const satisfies Language;

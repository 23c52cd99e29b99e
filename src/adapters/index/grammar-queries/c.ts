/** C and C++. A macro can hide what a file defines; what is left of it is still found. */

export const c = `
(function_definition) @function
(struct_specifier name: (type_identifier) @name body: (_)) @class
(union_specifier name: (type_identifier) @name body: (_)) @class
(enum_specifier name: (type_identifier) @name body: (_)) @enum
(type_definition declarator: (type_identifier) @name) @type
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro
(preproc_include path: (_) @specifier) @import
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(identifier) @use (type_identifier) @use (field_identifier) @use
`;

export const cpp = `${c}
(class_specifier name: (type_identifier) @name body: (_)) @class
(namespace_definition name: (namespace_identifier) @name) @module
(alias_declaration name: (type_identifier) @name) @type
(call_expression function: (qualified_identifier name: (identifier) @call))
(namespace_identifier) @use
`;

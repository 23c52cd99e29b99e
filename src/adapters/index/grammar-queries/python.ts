/** Python. */

export const python = `
(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @class
(module (expression_statement (assignment left: (identifier) @name) @constant))
(import_statement name: (dotted_name) @specifier) @import
(import_statement name: (aliased_import name: (dotted_name) @specifier)) @import
(import_from_statement module_name: (_) @specifier) @import
(call function: (identifier) @call)
(call function: (attribute attribute: (identifier) @call))
(decorator (identifier) @call)
(identifier) @use
`;

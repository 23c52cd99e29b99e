/** PHP. */

export const php = `
(function_definition name: (name) @name) @function
(method_declaration name: (name) @name) @method
(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @class
(enum_declaration name: (name) @name) @enum
(const_element (name) @name) @constant
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
`;

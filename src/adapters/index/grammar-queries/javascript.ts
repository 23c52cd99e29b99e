/** JavaScript, TypeScript and TSX. A test case is a call with a title. */

export const javascript = `
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(class_declaration name: (_) @name) @class
(method_definition name: (_) @name) @method
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @function
(program (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
(export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
(assignment_expression left: (member_expression property: (property_identifier) @name) right: [(arrow_function) (function_expression)]) @function
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @method
(call_expression function: (identifier) @test-word arguments: (arguments . [(string) (template_string)] @name)) @test
(call_expression function: (member_expression object: (identifier) @test-word) arguments: (arguments . [(string) (template_string)] @name)) @test
(import_statement source: (string) @specifier) @import
(export_statement source: (string) @specifier) @import
(call_expression function: (import) arguments: (arguments . (string) @specifier)) @import
(call_expression function: (identifier) @require-word arguments: (arguments . (string) @specifier)) @import
(call_expression function: (identifier) @call)
(call_expression function: (member_expression property: (property_identifier) @call))
(new_expression constructor: (identifier) @call)
(identifier) @use (property_identifier) @use (shorthand_property_identifier) @use
`;

const jsx = `
(jsx_opening_element name: (identifier) @call)
(jsx_self_closing_element name: (identifier) @call)
`;

export const javascriptWithJsx = `${javascript}${jsx}`;

export const typescript = `${javascript}
(abstract_class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @enum
(internal_module name: (_) @name) @module
(function_signature name: (_) @name) @function
(abstract_method_signature name: (_) @name) @method
(method_signature name: (_) @name) @method
(type_identifier) @use
`;

export const tsx = `${typescript}${jsx}`;

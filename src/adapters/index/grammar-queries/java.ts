/** Java. */

export const java = `
(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(annotation_type_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(import_declaration (_) @specifier) @import
(method_invocation name: (identifier) @call)
(object_creation_expression type: (type_identifier) @call)
(identifier) @use (type_identifier) @use
`;

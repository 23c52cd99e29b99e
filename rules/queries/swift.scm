(class_declaration ["class" "struct" "actor"] name: (type_identifier) @name) @class
(class_declaration "enum" name: (type_identifier) @name) @enum
(class_declaration "extension" name: (user_type (type_identifier) @name)) @extension
(protocol_declaration name: (type_identifier) @name) @interface
(typealias_declaration name: (type_identifier) @name) @type
(function_declaration name: (simple_identifier) @name) @function
(protocol_function_declaration name: (simple_identifier) @name) @function
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @field
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @constant)
(import_declaration (identifier) @specifier) @import
(call_expression (simple_identifier) @call)
(call_expression (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @call)))
(simple_identifier) @use (type_identifier) @use

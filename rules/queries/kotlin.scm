((class_declaration (modifiers (class_modifier) @enum-word) name: (identifier) @name) @enum
  (#eq? @enum-word "enum"))
((class_declaration "class" name: (identifier) @name) @class)
((class_declaration "interface" name: (identifier) @name) @interface)
(object_declaration name: (identifier) @name) @class
(type_alias type: (identifier) @name) @type
((function_declaration name: (identifier) @name) @function (#not-match? @name "^$|^`.* "))
((function_declaration name: (identifier) @name) @test (#match? @name "^`.* "))
(secondary_constructor "constructor" @name) @method
(class_parameter ["val" "var"] (identifier) @name ":") @field
(class_body (property_declaration (variable_declaration . (identifier) @name)) @field)
(enum_class_body (property_declaration (variable_declaration . (identifier) @name)) @field)
(enum_entry (identifier) @name) @field
(source_file (property_declaration (variable_declaration . (identifier) @name)) @constant)
(import) @import @specifier
(call_expression . (identifier) @call)
(call_expression . (navigation_expression (identifier) @call .))
(constructor_invocation (user_type (identifier) @call .))
(identifier) @use
(package_header (qualified_identifier (identifier) @label))
(value_argument . (identifier) @label "=")
[
  (class_declaration) (object_declaration) (function_declaration) (secondary_constructor) (anonymous_function)
  (lambda_literal) (for_statement) (catch_block) (getter) (setter) (anonymous_initializer) (when_expression)
] @scope
(parameter . (identifier) @local)
(class_parameter (identifier) @local ":")
(variable_declaration . (identifier) @local)
(catch_block . (identifier) @local)
(type_parameter . (identifier) @local)

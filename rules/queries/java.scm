(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(annotation_type_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(annotation_type_element_declaration name: (identifier) @name) @method
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @field
(enum_constant name: (identifier) @name) @field
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @field))
(import_declaration (_) @specifier) @import
(method_invocation name: (identifier) @call)
(object_creation_expression type: (type_identifier) @call)
(identifier) @use
(type_identifier) @use
(element_value_pair key: (identifier) @label)
[
  (class_declaration) (interface_declaration) (method_declaration) (constructor_declaration) (lambda_expression)
  (catch_clause) (static_initializer)
] @scope
(formal_parameter name: (identifier) @local)
(spread_parameter (variable_declarator name: (identifier) @local))
(inferred_parameters (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(local_variable_declaration declarator: (variable_declarator name: (identifier) @local))
(enhanced_for_statement name: (identifier) @local)
(resource name: (identifier) @local)
(catch_formal_parameter name: (identifier) @local)
(instanceof_expression name: (identifier) @local)
(type_parameter (type_identifier) @local)

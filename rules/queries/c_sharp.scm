(class_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(delegate_declaration name: (identifier) @name) @type
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(property_declaration name: (identifier) @name) @method
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @field
(enum_member_declaration name: (identifier) @name) @field
(local_function_statement name: (identifier) @name) @function
(namespace_declaration name: (_) @name) @module
(using_directive [(identifier) (qualified_name)] @specifier) @import
(invocation_expression function: (identifier) @call)
(invocation_expression function: (member_access_expression name: (identifier) @call))
(object_creation_expression type: (identifier) @call)
(identifier) @use
[
  (class_declaration) (interface_declaration) (struct_declaration) (record_declaration) (method_declaration)
  (constructor_declaration) (local_function_statement) (lambda_expression) (catch_clause) (accessor_declaration)
] @scope
(parameter name: (identifier) @local)
(type_parameter name: (identifier) @local)
(local_declaration_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(for_statement initializer: (variable_declaration (variable_declarator name: (identifier) @local)))
(using_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(foreach_statement left: (identifier) @local)
(catch_declaration name: (identifier) @local)
(declaration_pattern name: (identifier) @local)
(declaration_expression name: (identifier) @local)

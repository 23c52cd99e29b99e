; inherits: c
(class_specifier name: (type_identifier) @name body: (_)) @class
(namespace_definition name: (namespace_identifier) @name) @module
(alias_declaration name: (type_identifier) @name) @type
(call_expression function: (qualified_identifier name: (identifier) @call))
(namespace_identifier) @use
(lambda_expression) @scope (template_declaration) @scope
(reference_declarator (identifier) @local)
(for_range_loop declarator: (identifier) @local)
(structured_binding_declarator (identifier) @local)
(type_parameter_declaration (type_identifier) @local)

; inherits: script
(abstract_class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @enum
(internal_module name: (_) @name) @module
(function_signature name: (_) @name) @function
(abstract_method_signature name: (_) @name) @method
(method_signature name: (_) @name) @method
(public_field_definition name: (property_identifier) @name) @field
(public_field_definition name: (property_identifier) @name value: [(arrow_function) (function_expression)]) @method
(property_signature name: (property_identifier) @name) @field
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @field
(enum_body name: (property_identifier) @name @field)
(enum_assignment name: (property_identifier) @name) @field
(type_identifier) @use
[(class_declaration) (abstract_class_declaration) (interface_declaration) (type_alias_declaration) (method_signature) (function_signature) (abstract_method_signature) (call_signature) (function_type)] @scope
(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(type_parameter name: (type_identifier) @local)
(infer_type (type_identifier) @local)
(mapped_type_clause name: (type_identifier) @local)

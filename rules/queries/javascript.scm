; inherits: script, jsx
(formal_parameters (identifier) @local)
(field_definition property: (property_identifier) @name) @field
(field_definition property: (property_identifier) @name value: [(arrow_function) (function_expression)]) @method

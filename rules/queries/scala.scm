(class_definition name: (identifier) @name) @class
(trait_definition name: (identifier) @name) @interface
(object_definition name: (identifier) @name) @class
(package_object name: (identifier) @name) @module
(enum_definition name: (identifier) @name) @enum
(type_definition name: (type_identifier) @name) @type
((function_definition name: (identifier) @name) @function (#not-eq? @name "this"))
(function_declaration name: (identifier) @name) @function
(given_definition name: (identifier) @name) @constant
(extension_definition parameters: (parameters (parameter type: (type_identifier) @shared-name))) @extension
(simple_enum_case name: (identifier) @name) @field
(full_enum_case name: (identifier) @name) @class
(class_parameter name: (identifier) @name) @field
(template_body
  [
    (val_definition pattern: (identifier) @name) (var_definition pattern: (identifier) @name)
    (val_declaration name: (identifier) @name) (var_declaration name: (identifier) @name)
  ] @field)
(enum_body [(val_definition pattern: (identifier) @name) (var_definition pattern: (identifier) @name)] @field)
(compilation_unit
  [(val_definition pattern: (identifier) @name) (var_definition pattern: (identifier) @name)] @constant)
(import_declaration) @import @specifier
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (identifier) @call))
(call_expression function: (generic_function function: (identifier) @call))
(call_expression function: (generic_function function: (field_expression field: (identifier) @call)))
(instance_expression (type_identifier) @call)
(identifier) @use
(type_identifier) @use
(package_identifier (identifier) @label)
(arguments (assignment_expression left: (identifier) @label))
[
  (class_definition) (trait_definition) (object_definition) (enum_definition) (extension_definition)
  (function_definition) (lambda_expression) (case_clause) (for_expression) (block) (indented_block)
] @scope
(parameter name: (identifier) @local)
(val_definition pattern: (identifier) @local)
(var_definition pattern: (identifier) @local)
(tuple_pattern (identifier) @local)
(typed_pattern pattern: (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(binding name: (identifier) @local)
(enumerator . (identifier) @local)
(case_clause pattern: (identifier) @local)
(case_class_pattern pattern: (identifier) @local)

(function_declaration name: (identifier) @name) @function
(method_declaration name: (field_identifier) @name) @method
(type_spec name: (type_identifier) @name type: (interface_type)) @interface
(type_spec name: (type_identifier) @name type: (struct_type)) @class
(type_spec name: (type_identifier) @name) @type
(type_alias name: (type_identifier) @name) @type
(field_declaration name: (field_identifier) @name) @field
(field_declaration
  !name
  type: [
    (type_identifier) @shared-name (qualified_type name: (type_identifier) @shared-name)
    (generic_type type: (type_identifier) @shared-name)
  ]) @field
(method_elem name: (field_identifier) @name) @method
(source_file (const_declaration (const_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @constant)))
(import_spec path: (interpreted_string_literal) @specifier) @import
(call_expression function: (identifier) @call)
(call_expression function: (selector_expression field: (field_identifier) @call))
(identifier) @use
(type_identifier) @use
(field_identifier) @use
[(function_declaration) (method_declaration) (func_literal) (type_declaration)] @scope
(parameter_declaration name: (identifier) @local)
(variadic_parameter_declaration name: (identifier) @local)
(type_parameter_declaration name: (identifier) @local)
(short_var_declaration left: (expression_list (identifier) @local))
(var_spec name: (identifier) @local)
(const_spec name: (identifier) @local)
(range_clause left: (expression_list (identifier) @local))
(type_switch_statement alias: (expression_list (identifier) @local))
(receive_statement left: (expression_list (identifier) @local))

(function_definition) @function
(struct_specifier name: (type_identifier) @name body: (_)) @class
(union_specifier name: (type_identifier) @name body: (_)) @class
(enum_specifier name: (type_identifier) @name body: (_)) @enum
(type_definition declarator: (type_identifier) @name) @type
(field_declaration
  declarator: [
    (field_identifier) @name (pointer_declarator declarator: (field_identifier) @name)
    (array_declarator declarator: (field_identifier) @name)
  ]) @field
(enumerator name: (identifier) @name) @field
(preproc_def name: (identifier) @name) @macro
(preproc_function_def name: (identifier) @name) @macro
(preproc_include path: (_) @specifier) @import
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(identifier) @use
(type_identifier) @use
(field_identifier) @use
(function_definition) @scope
(parameter_declaration
  declarator: [
    (identifier) @local (pointer_declarator declarator: (identifier) @local)
    (array_declarator declarator: (identifier) @local)
  ])
(declaration
  declarator: [
    (identifier) @local (pointer_declarator declarator: (identifier) @local)
    (array_declarator declarator: (identifier) @local)
  ])
(init_declarator
  declarator: [
    (identifier) @local (pointer_declarator declarator: (identifier) @local)
    (array_declarator declarator: (identifier) @local)
  ])

(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(class_declaration name: (_) @name) @class
(method_definition name: (_) @name) @method
(variable_declarator
  name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)]) @function
(program (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
(program (variable_declaration (variable_declarator name: (identifier) @name) @constant))
(program
  (expression_statement
    (assignment_expression left: (member_expression property: (property_identifier) @name)) @constant))
(assignment_expression left: (member_expression object: (this) property: (property_identifier) @name)) @field
(export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
(assignment_expression
  left: (member_expression property: (property_identifier) @name)
  right: [(arrow_function) (function_expression)]) @function
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @method
((call_expression
  function: (identifier) @test-word
  arguments: (arguments . [(string) (template_string)] @name)) @test
  (#any-of? @test-word "it" "test" "describe" "suite" "context" "specify" "feature" "scenario" "should" "bench"))
((call_expression
  function: (member_expression object: (identifier) @test-word)
  arguments: (arguments . [(string) (template_string)] @name)) @test
  (#any-of? @test-word "it" "test" "describe" "suite" "context" "specify" "feature" "scenario" "should" "bench"))
(import_statement source: (string) @specifier) @import
(export_statement source: (string) @specifier) @import
(call_expression function: (import) arguments: (arguments . (string) @specifier)) @import
((call_expression function: (identifier) @require-word arguments: (arguments . (string) @specifier)) @import
  (#eq? @require-word "require"))
(call_expression function: (identifier) @call)
(call_expression function: (member_expression property: (property_identifier) @call))
(new_expression constructor: (identifier) @call)
(identifier) @use
(property_identifier) @use
(shorthand_property_identifier) @use
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @use)
  value: (call_expression arguments: (arguments . (string))))
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @use)
  value: (await_expression (call_expression function: (import))))
[
  (function_declaration) (generator_function_declaration) (function_expression) (generator_function)
  (arrow_function) (method_definition) (catch_clause)
] @scope
(arrow_function parameter: (identifier) @local)
(function_expression name: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(variable_declarator name: (identifier) @local)
(for_in_statement left: (identifier) @local)
(shorthand_property_identifier_pattern) @local
(pair_pattern value: (identifier) @local)
(assignment_pattern left: (identifier) @local)
(array_pattern (identifier) @local)
(rest_pattern (identifier) @local)

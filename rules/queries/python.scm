(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @class
(module (expression_statement (assignment left: (identifier) @name) @constant))
(module (if_statement (block (expression_statement (assignment left: (identifier) @name) @constant))))
(module (if_statement (else_clause (block (expression_statement (assignment left: (identifier) @name) @constant)))))
(module (try_statement (block (expression_statement (assignment left: (identifier) @name) @constant))))
(module (try_statement (except_clause (block (expression_statement (assignment left: (identifier) @name) @constant)))))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @field)))
((assignment left: (attribute object: (identifier) @self-word attribute: (identifier) @name)) @field
  (#any-of? @self-word "self" "cls"))
(import_statement name: (dotted_name) @specifier) @import
(import_statement name: (aliased_import name: (dotted_name) @specifier)) @import
(import_from_statement module_name: (_) @specifier) @import
(call function: (identifier) @call)
(call function: (attribute attribute: (identifier) @call))
(decorator (identifier) @call)
(identifier) @use
(keyword_argument name: (identifier) @label)
[(function_definition) (lambda) (list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @scope
(parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(typed_parameter (identifier) @local)
(default_parameter name: (identifier) @local)
(typed_default_parameter name: (identifier) @local)
(list_splat_pattern (identifier) @local)
(dictionary_splat_pattern (identifier) @local)
(assignment left: (identifier) @local)
(pattern_list (identifier) @local)
(tuple_pattern (identifier) @local)
(list_pattern (identifier) @local)
(for_statement left: (identifier) @local)
(for_in_clause left: (identifier) @local)
(as_pattern_target (identifier) @local)
(as_pattern_target (tuple (identifier) @local))
(named_expression name: (identifier) @local)
(case_pattern (dotted_name . (identifier) @local .))

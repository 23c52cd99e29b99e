(method name: (_) @name) @method
(singleton_method name: (_) @name) @method
(class name: (_) @name) @class
(module name: (_) @name) @module
(assignment left: (constant) @name) @constant
(assignment left: (instance_variable) @name) @field
(operator_assignment left: (instance_variable) @name) @field
((call method: (identifier) @attribute-word arguments: (argument_list (simple_symbol) @name)) @field
  (#any-of? @attribute-word "attr_reader" "attr_writer" "attr_accessor" "attr"
    "mattr_reader" "mattr_writer" "mattr_accessor" "cattr_reader" "cattr_writer" "cattr_accessor" "class_attribute"
    "attribute" "has_many" "has_one" "belongs_to" "let" "let!" "subject"
    "define_method" "define_singleton_method" "alias_method" "delegate" "scope"))
(alias name: (identifier) @name) @method
((call method: (identifier) @test-word arguments: (argument_list . (string) @name) block: (_)) @test
  (#any-of? @test-word "it" "test" "describe" "suite" "context" "specify" "feature" "scenario" "should" "bench"))
((call method: (identifier) @require-word arguments: (argument_list . (string) @specifier)) @import
  (#any-of? @require-word "require" "require_relative" "load" "autoload"))
((call method: (identifier) @require-word arguments: (argument_list (simple_symbol) . (string) @specifier)) @import
  (#any-of? @require-word "require" "require_relative" "load" "autoload"))
(call method: (identifier) @call)
(argument_list (simple_symbol) @use)
(block_argument (simple_symbol) @use)
(identifier) @use (constant) @use (instance_variable) @use
[(method) (singleton_method) (block) (do_block) (lambda)] @scope
(method_parameters (identifier) @local)
(block_parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(destructured_parameter (identifier) @local)
(optional_parameter name: (identifier) @local)
(keyword_parameter name: (identifier) @local)
(splat_parameter name: (identifier) @local)
(hash_splat_parameter name: (identifier) @local)
(block_parameter name: (identifier) @local)
(assignment left: (identifier) @local)
(operator_assignment left: (identifier) @local)
(left_assignment_list (identifier) @local)
(destructured_left_assignment (identifier) @local)
(exception_variable (identifier) @local)
(for pattern: (identifier) @local)

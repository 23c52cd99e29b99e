(function_definition name: (name) @name) @function
(method_declaration name: (name) @name) @method
(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @class
(enum_declaration name: (name) @name) @enum
(const_element (name) @name) @constant
(property_element name: (variable_name (name) @name)) @field
(property_promotion_parameter name: (variable_name (name) @name)) @field
(enum_case name: (name) @name) @field
(namespace_use_clause [(qualified_name) (name)] @specifier) @import
(require_once_expression (_) @specifier) @import
(require_expression (_) @specifier) @import
(include_expression (_) @specifier) @import
(include_once_expression (_) @specifier) @import
(function_call_expression function: (name) @call)
(member_call_expression name: (name) @call)
(scoped_call_expression name: (name) @call)
(object_creation_expression (name) @call)
(name) @use
(namespace_definition name: (namespace_name (name) @label))
(argument name: (name) @label)
[(function_definition) (method_declaration) (anonymous_function) (arrow_function) (catch_clause)] @scope
(simple_parameter name: (variable_name (name) @local))
(variadic_parameter name: (variable_name (name) @local))
(assignment_expression left: (variable_name (name) @local))
(reference_assignment_expression left: (variable_name (name) @local))
(list_literal (variable_name (name) @local))
(foreach_statement (pair (variable_name (name) @local)))
(foreach_statement (variable_name (name) @local) body: (_))
(catch_clause name: (variable_name (name) @local))
(static_variable_declaration name: (variable_name (name) @local))
(global_declaration (variable_name (name) @local))

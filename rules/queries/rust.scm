(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @class
(union_item name: (type_identifier) @name) @class
(enum_item name: (type_identifier) @name) @enum
(trait_item name: (type_identifier) @name) @interface
(type_item name: (type_identifier) @name) @type
(impl_item
  type: [
    (type_identifier) @name (generic_type type: (type_identifier) @name)
    (scoped_type_identifier name: (type_identifier) @name)
    (generic_type type: (scoped_type_identifier name: (type_identifier) @name))
  ]) @extension
(field_declaration name: (field_identifier) @name) @field
(enum_variant name: (identifier) @name) @field
(mod_item name: (identifier) @name body: (_)) @module
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @constant
(macro_definition name: (identifier) @name) @macro
(use_declaration argument: (_) @specifier) @import
(mod_item name: (identifier) @specifier !body) @import
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(call_expression function: (scoped_identifier name: (identifier) @call))
(macro_invocation macro: (identifier) @call)
(identifier) @use
(type_identifier) @use
(field_identifier) @use
(type_binding name: (type_identifier) @label)
(attribute_item (attribute (identifier) @label))
(attribute_item (attribute (identifier) arguments: (token_tree (identifier) @label)))
(inner_attribute_item (attribute (identifier) @label))
(inner_attribute_item (attribute (identifier) arguments: (token_tree (identifier) @label)))
[
  (function_item) (closure_expression) (impl_item) (struct_item) (enum_item) (trait_item) (type_item)
  (function_signature_item) (match_arm)
] @scope
(parameter pattern: (identifier) @local)
(parameter pattern: (mut_pattern (identifier) @local))
(closure_parameters (identifier) @local)
(let_declaration pattern: (identifier) @local)
(tuple_pattern (identifier) @local)
(tuple_struct_pattern type: (_) (identifier) @local)
(ref_pattern (identifier) @local)
(reference_pattern (identifier) @local)
(mut_pattern (identifier) @local)
(slice_pattern (identifier) @local)
(captured_pattern . (identifier) @local)
(shorthand_field_identifier) @local
(field_pattern pattern: (identifier) @local)
(for_expression pattern: (identifier) @local)
(match_pattern . (identifier) @local .)
(type_parameter name: (type_identifier) @local)
(const_parameter name: (identifier) @local)

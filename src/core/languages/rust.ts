/** Rust. */
import { dots, slashes, words, type Language } from './language.ts';

const query = `
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
`;

export const rust = {
  files: /\.rs$/i,
  grammars: { rust: { endings: ['rs'], query } },
  comments: { ...slashes, quotes: '"' },
  vocabulary: {
    keywords: words(
      'Self abstract as async await become box break const continue crate do dyn else enum extern false ' +
        'final fn for if impl in let loop macro match mod move mut override priv pub ref return self ' +
        'static struct super trait true try type typeof union unsafe unsized use virtual where while yield',
    ),
    globals:
      words(`Box Clone Copy Debug Default Drop Eq Err Fn FnMut FnOnce From Hash Into IntoIterator Iterator None Ok
        Option Ord PartialEq PartialOrd Result Send Sized Some String Sync ToOwned ToString TryFrom TryInto Vec assert
        assert_eq assert_ne bool cfg char compile_error concat dbg debug_assert debug_assert_eq derive feature drop
        env eprint eprintln f32 f64 file format i128 i16 i32 i64 i8 include include_bytes include_str inline isize
        line macro_rules matches module_path must_use option_env panic print println str test todo u128 u16 u32 u64 u8
        unimplemented unreachable usize vec write writeln std core alloc allow deny warn cfg_attr doc non_exhaustive`),
    members: words(
      'all and_then any as_bytes as_deref as_mut as_ref as_slice as_str borrow borrow_mut bytes chain ' +
        'chars clear clone cloned cmp collect contains contains_key copied count dedup default deref ' +
        'display drain ends_with entry enumerate eq err expect extend filter filter_map find first ' +
        'flat_map fmt fold for_each from get get_mut get_or_insert insert into into_iter is_empty is_err ' +
        'is_none is_ok is_some iter iter_mut join keys last len lines lock map map_err max min next new ' +
        'ok ok_or ok_or_else or_else or_insert parse path peek pop position push push_str read remove ' +
        'replace rev skip sort sort_by split split_at starts_with step_by sum take to_owned to_path_buf ' +
        'to_string to_vec trim try_from try_into unwrap unwrap_or unwrap_or_default unwrap_or_else values ' +
        'windows with_capacity write zip',
    ),
    access: dots,
    parameters: 'name-first',
    reach: 'import',
    namesFields: 'colon',
  },
} as const satisfies Language;

/** Weaknesses of tests, names, structure and leftovers. In the notation of `weaknesses.ts`. */
export const upkeepWeaknesses = `
missing-test: untested uncovered test_coverage missing_test missing_tests regression_test | test tests unit_test spec covered coverage
  exercised & $not no without missing lacks lack add needs should absent never untested uncovered nothing | only & happy_path & test tests
  covered tested | nothing nobody no & covers exercises tests checks verifies guards & branch case path function error behaviour
vacuous-test: tautological | assertion assertions assert asserts expectation expectations test tests & nothing always vacuous trivially
  meaningless itself anything weak cannot_fail empty | test & can_never_fail never_fail passes_anyway passes_without always_passes
  asserts_nothing proves_nothing
flaky-test: flaky flakiness intermittent intermittently nondeterministic_test timing_dependent sometimes_fails random_failure
  random_failures fails_randomly sometimes_red intermittent_failure awaitility | test tests & sleep sleeps real_time wall_clock
  current_time clock random timing network real_network internet depends order today date hard_coded_date race sometimes machine zone
  unstable unreliable | passes passed & locally my_machine & ci | assertion test & busy slow loaded & runner machine ci | hopes & sleep
  sleeps wait waits | sleep sleeps pausing pause thread_sleep fixed_time fixed_delay & test ci poll slow wait condition
order-dependent-test: test tests & order other previous another shared state leak leaks isolation isolated global cleanup fixture reset
  each_other depends depend run_alone before_it
over-mocked: mock mocks mocked mocking stub stubs stubbed monkeypatch & too everything implementation itself never_runs real over wrong
  much under_test hides
snapshot-test: snapshot snapshots golden & test large whole updated blindly unreviewed brittle meaningless
skipped-test: skipped_test disabled_test commented_out_test | test tests suite & skip skipped skips disabled ignore ignored only focused
  xit fit fdescribe todo pending
test-in-production: test_code test_data test_only fixture mock & production ships shipped live release
brittle-test: test tests & brittle implementation_detail internals private coupled exact_string wording fragile
misleading-name: misnamed misnomer misleading_name confusing_name rename renamed | name named names naming & misleading mislead misleads
  confusing wrong unclear vague suggests implies cryptic ambiguous inaccurate meaningless describe describes descriptive nothing suggest
  inconsistent short abbreviated better opposite promises hides | get is find & name & but & writes deletes saves changes mutates modifies
  creates | called & but & returns does actually
typo: typo typos misspelled misspelling misspelt spelling spelled grammar grammatical
magic-number: magic_number magic_numbers magic_string magic_constant magic_value unexplained_number named_constant | literal number
  constant & unexplained unnamed named_constant name bare repeated meaning explain
dead-code: dead_code commented_out unused never_used never_called never_read no_longer_used no_longer_needed unreferenced leftover_code
  obsolete_code cwe_1164 cwe_563 no_caller no_callers no_usages zero_references | $not nobody nowhere & used called referenced read calls
  uses & function method variable parameter import constant class code field helper argument property module file | nobody nothing nowhere
  no_one & calls uses reads references imports call use any_more anymore | remove & unused
unused-import: unused & import imports include | import imports & $not never & used needed
unused-variable: unused never_used never_read & variable parameter argument local assignment assigned field value | assigned written set
  & never & read used
commented-code: commented_out commented_code | comment comments & code old disabled block left
duplicate-code: duplicated_code duplicate_code code_duplication copy_pasted copy_and_paste copy_paste repeated_code repetition cloned dry
  boilerplate | same identical duplicate duplicated repeats repeated near_identical & logic code block function twice places copies several
  three implementation branch helper & $not logic code copies places extract helper block implementation function | extract & shared common
  helper function | third second & copy time & same logic code block | already_exists existing & helper function util & same reuse
  duplicates | extract & helper function common shared
long-function: too_long too_large too_big god_class god_object god_function cyclomatic cognitive_complexity complexity too_complex
  too_many_lines does_too_much too_many_responsibilities single_responsibility | function method class file module & long large lines huge
  hundred big complex split responsibilities grown things much too | hundred hundreds 200 300 400 & lines function method | several many
  too_many five six & things responsibilities jobs tasks & function method class | split & function method class
deep-nesting: nesting nested_ifs deeply_nested indentation pyramid arrow_code guard_clause guard_clauses nested_conditionals
  nested_ternary nested_ternaries
too-many-parameters: too_many_parameters too_many_arguments boolean_parameter flag_argument boolean_trap positional | parameters
  arguments & many nine eight seven ten long_list object boolean
debug-leftover: console_log debug_print print_statement debugger debug_statement debug_output println dump breakpoint | debug debugging &
  left leftover remain statement output code forgotten
todo-left: todo fixme xxx unfinished unimplemented | left & todo
formatting: formatting indent indentation trailing_whitespace code_style semicolon line_length linter_warning lint prettier
global-state: global_state global_variable global_variables singleton module_level mutable_global static_field static_state | global &
  state variable mutable shared
coupling: coupling coupled tight_coupling tightly_coupled circular_reference dependency_injection | depends depend knows reaches &
  concrete implementation internals directly layer
layering: layering layer_violation wrong_layer separation_of_concerns business_logic_in | layer controller view ui component template &
  business_logic belongs database sql query logic should
leaky-abstraction: leaky_abstraction abstraction encapsulation encapsulated internal_representation | exposes returned exposed returns
  public & internal internals mutable_list internal_list representation private_field implementation
visibility-wide: should_be_private should_be_internal | private public protected internal & should visibility exposed needlessly
  unnecessarily modifier exported export
weak-type: any_type explicit_any typed_as_any untyped type_annotation type_hint type_hints implicit_any stringly_typed raw_type
  return_type object_type | any unknown & type typed typing | annotation & type $not
unsafe-cast: unchecked_cast type_assertion double_cast as_any ts_ignore type_ignore classcastexception unsafe_cast | cast casts casting
  casted assertion & unsafe unchecked wrong blind blindly type fails without hides runtime check | suppress suppression suppressed & type
  warning checker compiler
suppressed-warning: eslint_disable nolint noqa suppresswarnings ts_ignore ts_expect_error pragma | warning warnings rule lint & suppress
  suppressed disabled silence silenced disable
wrong-type: type & mismatch mismatched wrong string_instead number_instead expected incompatible
missing-symbol: does_not_exist not_defined undefined_function undefined_method missing_import not_imported no_such_method unresolved
  compile_error does_not_compile | import export & missing forgotten $not broken wrong
over-engineering: over_engineered overengineered overengineering premature premature_optimization premature_abstraction yagni
  needless_abstraction unnecessary_abstraction needlessly_complex overly_complex unnecessarily_complicated convoluted complicated
redundant: redundant superfluous needless unneeded pointless unnecessary has_no_effect without_effect does_nothing
inconsistent-style: inconsistent inconsistently & style naming convention pattern rest_of codebase elsewhere mix mixed surrounding
missing-comment: unexplained uncommented | comment comments & explain explained explaining why what | comment & needs add
generated-edited: generated auto_generated autogenerated & edited hand manually changed overwritten regenerate regenerated
encapsulation-equality: structural_equality record_equality
inheritance: super_call liskov parent_constructor | super & call $not called
constructor-work: constructor initializer static_initializer & work io network throws virtual heavy side_effect calls
visibility-of-change: changelog release_notes version_bump
assert-for-check: assert assertion asserts & production optimized disabled stripped validation input runtime python_o user
exit-in-library: sys_exit os_exit process_exit system_exit | exit exits kills terminates & process library whole_process host
panic-in-library: panic panics log_fatal fatal & library caller error instead return package
finally-override: return & finally
string-compare-version: version versions & compare compared comparison string lexicographic semver numeric
sql-in-code: raw_sql
path-join: path paths & concatenate concatenated string join slash plus & separator path_join os_path platform windows
negative-zero: minus_zero negative_zero
variadic: spread_operator apply_too_many argument_limit call_stack
iterator-exhausted: generator iterator stream body reader & consumed exhausted twice second_time again already read once reused
this-binding: this & bind bound binding lost callback context arrow undefined unbound detached
copy-large: by_value pass_by_reference const_reference & large struct copy
missing-virtual: virtual_destructor virtual & destructor delete base
ownership: double_ownership moved_from after_move lifetime borrowed borrow outlives dangling_reference
missing-const: const readonly immutable final & should could missing make marked declared
macro: macro macros & side_effect evaluated twice parenthes argument
comparison-boolean: compares_to_true comparison_to_none
float-loop: loop_counter float
wrong-import: wildcard_import star_import import_star relative_import deep_import side_effect_import import_order
`;

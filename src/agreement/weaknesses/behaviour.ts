/** Weaknesses of what code does: concurrency, resources, failures, values. In the notation of `weaknesses.ts`. */
export const behaviourWeaknesses = `
data-race: data_race race_condition race races racy racing toctou thread_unsafe unsynchronized unsynchronised cwe_362 cwe_366 cwe_367
  cwe_820 lost_update lost_updates interleave interleaved interleaving check_then_act read_modify_write check_and_set double_checked mutex
  compare_and_swap compare_and_set | thread_safe thread_safety threadsafe & $not | atomic atomically atomicity & $not should must between
  increment | concurrent concurrently simultaneous simultaneously parallel two_threads several_threads multiple_threads two_requests
  two_workers goroutines same_time at_once two_callers two_processes other_thread both_threads threads two_users two_clients & overwrite
  overwrites both corrupt lose lost same unsafe unguarded unprotected shared write writes modify modified mutate update updates race
  duplicate read increments increment without clobber slip | shared & state map counter field variable dict memory & lock unguarded
  unprotected unsynchronized threads goroutines thread concurrent goroutine | between & check read test lookup & write use insert act
  update creation create | lock mutex synchronization & without $not guard needs should & access accessed read write written increment map
  counter field update shared | both & pass read see find get proceed & check requests threads workers value balance stock same_time | last
  & oversell oversold overdraw overdrawn double_spend double_book | two & requests threads workers processes callers clients & same both
  each together at_once | lock synchronized atomic & guard protect should use hold around wrap need add
deadlock: deadlock deadlocks lock_order lock_ordering cwe_833 | wait waits waiting block & each_other one_another forever itself & lock
  thread goroutine mutex | lock locks mutex mutexes & opposite different reverse reversed inverted & order | acquire acquired take taken
  locks & twice again already opposite & lock mutex order | wait waits & each other another forever | opposite reverse different other &
  order & lock locks lock_order acquires
lock-leaked: cwe_667 cwe_772 | lock mutex semaphore latch permit & release released unlock unlocked freed stays stay remain remains held
  left & never $not error early_return exception throw panic locked path forever forgets | unlock release & finally defer
lock-held-long: contention lock_contention | lock mutex critical_section synchronized & held hold holding during while inside under
  across & network io i_o slow call request query disk await http remote database sleep long rpc callback
thread-leak: thread goroutine coroutine worker task & leak leaks leaked never_exits never_ends never_stops never_returns never_terminates
  stays_alive forever orphan orphaned | unbounded unlimited & thread threads goroutines workers tasks spawned
unbounded-concurrency: promise_all | unbounded unlimited all_at_once thousands every_item simultaneously in_parallel concurrency &
  concurrency parallel requests at_once limit connections fan_out calls
visibility: volatile happens_before memory_barrier memory_order spurious_wakeup | visibility & thread threads | compiler optimizer &
  hoist hoists reorder cache caches optimize remove register read | register & volatile | stale & thread core value field flag read sees
  never
missing-await: await awaited unawaited floating_promise fire_and_forget un_awaited | promise future coroutine & ignored dropped floating
  forgotten result returned handled discarded unresolved $not wait waited | foreach & async | returns return responds continues goes_on
  proceeds finishes & before & finish finishes finished complete completes completed done settles resolves promise saved written write |
  wait waits waited & $not & finish complete promise result write | async asynchronous & $not & wait waited awaited | test response
  function handler caller & returns ends finishes passes & before & promise async done resolves write saved | result & promise & instead
  used object
sequential-await: one_after_another sequential sequentially one_by_one in_series serially & await request requests call calls fetch
  promise parallel independent slow query queries load loads
blocking: event_loop main_thread ui_thread & block blocks blocking freeze stall synchronous hang | blocking & call io i_o read async
  request reactor thread | synchronous sync readfilesync & read file io i_o call request blocks async handler http slow | block blocks
  blocked freeze freezes stall hang & thread ui loop server requests everyone process everything | asynchronous non_blocking offload & read
  call io
cancellation: cancel cancelled cancellation canceled abort aborted abortsignal context_cancelled ctx_done interrupt interruptedexception
  & ignore ignored $not honour propagate respect check stop keep swallow continue runs passed forwarded keeps continues
memory-leak: memory_leak memory_leaks cwe_401 garbage_collect garbage_collected unsubscribe removeeventlistener clearinterval | listener
  listeners handler subscription observer callback interval timer event_handler & remove removed unsubscribe unregister clear cleared
  detach leak leaks never pile accumulate cleanup unmount dispose | memory & leak leaks retained retain held released garbage collected
resource-leak: resource_leak handle_leak fd_leak descriptor_leak connection_leak file_descriptor file_descriptors file_handle cwe_404
  cwe_775 unclosed too_many_open try_with_resources with_statement context_manager using_block using_statement defer_close | $opened &
  close closed release released dispose disposed freed unclosed returned left shut & $not never leak open early exception throw error path
  leaks | $opened & leak leaks leaked leaking exhaust exhausted stays_open remains_open left_open kept_open pile | runs_out run_out out_of
  exhaust exhausts & descriptors handles connections sockets file_handles | $opened & never & closed released returned closes | $opened &
  early_return exception error throws thrown path & open leak closed close released | close release dispose & finally defer should must
  always
temp-files-left: temp temporary tmp scratch leftover & delete deleted removed remove cleaned clean cleanup left behind pile accumulate &
  $not never left behind file files directory crash
unbounded-memory: out_of_memory oom heap_space cwe_400 cwe_770 cwe_789 | whole entire entirely complete full all everything huge large
  gigabyte at_once & memory buffer buffers buffered ram heap & read load loaded buffer buffers buffered file body upload response held kept
  collected rows table download | memory ram heap & unbounded grow grows exhaust exhausts blow explode explodes usage spike huge
  proportional limit | read_all readall readfile readtoend & memory large whole instead | stream streamed streaming chunk chunks & instead
  should rather $not could process | memory ram heap & size whole big large_file large_files gigabytes proportional | large big huge &
  upload file payload response & memory kills kill crash process oom | whole entire & file response table dataset body & read loaded load
  buffered held | stream & instead should chunks
unbounded-cache: lru | cache map dictionary queue list array set buffer registry history memo collection table & unbounded grow grows
  growing growth unlimited forever evict evicted eviction bound limit max_size & $not never forever unbounded unlimited endless endlessly
  without indefinitely keeps evicted | eviction evict & policy should limit bounded
queue-unbounded: backpressure back_pressure unbounded_queue bounded_queue arrayblockingqueue callerrunspolicy | queue channel buffer
  backlog & unbounded unlimited fills fill_up overflow overrun capacity grows drop dropped full | tasks jobs work & accumulate pile pile_up
  queue heap producers faster slow
pool-exhausted: pool & exhaust exhausted exhausts starve starvation drained too_small empty deplete full run_out runs_out | connections &
  exhaust exhausts too_many
swallowed-error: swallow swallows swallowed swallowing empty_catch bare_except empty_except cwe_390 cwe_391 cwe_1069 except pass | error
  errors exception exceptions failure failures rejection problem & silent silently ignore ignores ignored ignoring suppress suppressed hide
  hides hidden discard discarded dropped lost disappear disappears vanish eaten invisible unnoticed masked mask masks unreported
  nobody_learns nobody_sees | fail fails failure & silently unnoticed quietly | catch except rescue & empty nothing ignore pass silent
  blank does_nothing | caller callers user & never & learn learns told know knows sees notified hear & fail failed failure error wrong |
  error errors exception exceptions failure & log logged reported propagated surfaced & $not never neither only | catch catches except &
  returns return & null empty default false none nothing success | looks seems appears reported & success successful succeeded fine &
  although failed failure failing error even | failure failures error errors & looks like & empty success none missing nothing | logged &
  only & error exception failure | goes_on continues carries_on & error failure exception failed after despite nothing | rethrow reraise
  propagate surface & error exception failure should caller must
broad-catch: catch_all catches_everything broad_except broad_exception too_broad_exception catches_all cwe_396 | catch catches except
  caught rescue handler & broad too_broad everything generic any all throwable base_exception baseexception bare too_general
  keyboardinterrupt blanket | narrow specific & catch except exception
error-type: cwe_397 | wrong generic misleading plain unspecific & error_type exception_type exception_class error_class | throws raises
  raise throw & generic plain string wrong_type base bare & error exception
lost-cause: cause original root_cause stack stack_trace traceback & lost lose loses drop drops dropped discard discards preserved wrap
  wrapped chain chained keep & error exception rethrow new original cause rethrown
error-unhandled: unhandled uncaught cwe_248 cwe_755 cwe_754 cwe_703 | error errors exception rejection failure failures & handled handle
  handling caught catch & $not without missing never no nowhere unhandled | try_catch & $not without no missing outside | rejects rejection
  rejections promise & catch handled unhandled $not | handle catch wrap & error errors exception try_catch
return-ignored: cwe_252 cwe_253 | return_value return_code exit_status result_of error_return returned_error return_status errno & ignore
  ignored unchecked discard discarded unused checked $not dropped | unchecked & error return result | err error & checked check & $not
  never & return call result
crash: crash crashes crashing panic panics segfault abort throws blow_up blows_up explode typeerror nullpointerexception attributeerror
  keyerror
retry-missing: retry retries retried retrying & $not without missing no transient never should temporary first_failure needs | transient
  & fail failure error gives_up permanent
retry-storm: backoff back_off jitter thundering_herd retry_storm | retry retries retrying & immediately tight hammer flood storm delay
  pause exponential overload overwhelm at_once wait | hammer hammers hammering & server service upstream | retry retries & same_time
  lockstep together synchronized no_delay without_delay
retry-endless: retry retries retrying & forever endless endlessly unlimited infinite infinitely limit cap max maximum unbounded bound
  indefinitely
retry-unsafe: retry retries retried resend redelivered & idempotent idempotency twice duplicate duplicates again non_idempotent
  side_effect post charge permanent 4xx non_retryable
not-idempotent: idempotent idempotency double_submit double_click double_charge double_charged double_booking duplicate_request
  duplicate_delivery at_least_once | charged billed sent processed executed applied delivered created inserted runs handled counted
  submitted & twice double second_time two_times more_than_once again duplicate duplicates | redeliver redelivery redelivered
  duplicate_message & twice check again dedupe handled process | key & regenerated fresh new random different timestamp & retry attempt
  retries attempts each | second_attempt & new_request charged again duplicate | charge charges charged & again twice card
missing-timeout: cwe_1088 | timeout timeouts deadline time_limit & $not without no missing unlimited infinite never lacks unset set
  specify should needs add | hang hangs wait waits waiting stall stalls stuck block & forever indefinitely endlessly unresponsive
  never_answers slow_server | hang hangs block blocks wait waits stuck & server service peer upstream remote host & answer answers respond
  responds reply dead slow hangs never | timeout deadline & add set pass should give
timeout-short: timeout timeouts deadline & too_short short aggressive tight too_low small premature too_small tiny
timeout-long: timeout timeouts deadline & too_long long generous too_high large huge too_large minutes
circuit-breaker: circuit_breaker bulkhead | cascade cascading & failure failures outage | failing down unhealthy & upstream downstream
  dependency service & keeps keep hammered called overload
hidden-fallback: fallback falls_back fall_back default & hide hides mask masks masked silently stale wrong unnoticed quietly conceal
  instead_of_failing
partial-failure: partial partially half halfway half_way half_written half_applied midway half_finished half_done inconsistent_state
  in_between & fail fails failure crash write written applied update state saved left error commit batch interrupted leave migrated |
  rollback rolled_back roll_back undo compensat undone & $not never no without missing fail fails failure first error | first succeed
  succeeds & second then & fail fails | second later third & step call write fails throws crash & first already left stays remains applied
  money debited | debited charged deducted & but & not never credited order
graceful-shutdown: graceful gracefully sigterm sigint shutdown shut_down draining drain & shutdown signal in_flight inflight lost handle
  handled abrupt kill killed exit $not drain requests terminated lose drops dropped wait | deploy restart rollout & requests jobs work
  connections & cut aborted lost killed dropped interrupted in_flight
null-dereference: npe nullpointer nullpointerexception null_pointer null_dereference nil_dereference nil_pointer nullpointererror
  null_reference nomethoderror cwe_476 may_be_null may_be_undefined might_be_null can_be_null could_be_null can_be_none might_be_undefined
  can_be_undefined be_null be_none be_nil be_undefined null_check nil_check none_check undefined_check non_null_assertion non_null
  typeerror attributeerror optional_chaining null_safe | null nil none undefined nullable nullish optional absent & dereference deref crash
  crashes check checked guard guarded throw throws access accessed read property before use used unwrap panic handle handled possible may
  might could when blow fail attributeerror typeerror without unchecked maybe | undefined null none nil & property method field attribute
  object of | unwrap & none option panic | exist exists found present set there missing & $not may might & dereference property crash
  access anyway | lookup find get & returns & nothing null none undefined | user account record profile owner result response value object
  item & may might can could & missing absent null undefined none nil empty | $not & null check | crash crashes throws & when & no missing
  absent null undefined
empty-collection: empty & list array collection input string result results set slice sequence map rows dataframe & crash crashes fails
  throws first max min reduce index handle handled case check division panic error undefined assume assumes access considered exception
  breaks | first_element first_item first_row index_0 element_0 & empty exist assume present
division-by-zero: division_by_zero divide_by_zero zero_division zerodivision zerodivisionerror divided_by_zero cwe_369 | divide divides
  division divisor denominator modulo average mean ratio & zero empty nan 0 infinity no_items
nan: nan | infinity infinite_value & number numeric value float
off-by-one: off_by_one fencepost fence_post cwe_193 one_too_many one_too_few one_too_far one_too_early one_short one_extra one_less
  one_more one_beyond one_past one_off | last first final & element item entry row page character byte index record iteration day & skip
  skips skipped miss misses missed lost drops dropped excluded left_out ignored never forgotten omitted loses | inclusive exclusive & bound
  bounds range end loop limit | less_than less_or_equal less_equal & bound length last loop instead boundary | boundary & condition wrong
  one inclusive exclusive | loop iteration index range & one & too early late far short past beyond extra | element item step iteration
  character & one & too past early less more short beyond | less_or_equal & less_than instead should must length size loop bound | last
  first final & element item entry row page character byte day & never | past beyond & last_element last_item last_index the_last
out-of-bounds: out_of_bounds out_of_range indexerror index_out outofbounds arrayindexoutofboundsexception cwe_129 cwe_131 cwe_823
  past_the_end beyond_the_end past_end bounds_check | index indexes offset subscript & range bounds beyond past exceed exceeds unchecked
  larger outside end_of length valid_range negative
integer-overflow: integer_overflow overflow overflows wraparound wrap_around wraps underflow underflows cwe_190 cwe_191 cwe_680 int64
  bigint 64_bit checked_arithmetic saturating | int int32 integer long 32_bit 32bit byte short & too_small exceed exceeds large wide narrow
  max limit big bigger maximum fit
narrowing: cwe_197 cwe_681 cwe_195 cwe_194 | narrow narrowing truncate truncated truncates truncation lossy downcast cut_off cutoff & int
  cast conversion long value number precision float double string column bits data characters silently varchar text | signed unsigned & mix
  conversion compare mismatch negative cast
float-money: minor_units integer_cents whole_cents in_cents | float floating floating_point double binary_fraction & money price prices
  amount amounts currency total payment cents balance tax decimal invoice exact monetary | money monetary price amount currency & decimal
  cents integer & should use store instead | off short differs & cent cents penny pennies | pennies cents & accumulate drift pile lost |
  binary & cents | decimal bigdecimal & money price amount should instead use
float-comparison: epsilon | float floats floating_point double floating & equality equal compare compared exact comparison epsilon
  tolerance exactly
precision-loss: float32 half_precision | precision lossy significant_digits & lost lose loses loss losing reduce drops integer |
  accumulate accumulates accumulated & error rounding drift
rounding: round rounds rounded rounding banker half_up half_even floor ceil & wrong mode direction early late before each after line
  total cent cents down up instead penny half error twice intermediate step off differ
integer-division: integer_division | division divides divide quotient & integer whole int truncates floor fraction drops decimals cast
  float remainder always_zero
unit-mismatch: factor_of_1000 factor_1000 thousand_times | unit units & wrong mismatch mix mixed confused confuse different expected
  conversion convert | milliseconds ms millis millisecond & seconds second sec s | bytes & kilobytes bits megabytes kb characters mib |
  seconds & minutes milliseconds expects instead | cents & euros dollars | degrees & radians | percent percentage & fraction ratio 100 |
  metres meters & feet kilometres kilometers miles | kib kb mib & 1024 1000
loose-equality: loose_equality double_equals triple_equals strict_equality strict_equals type_coercion coercion coerce coerced eqeqeq
  cwe_1025 cwe_595 cwe_597 reference_equality reference_comparison identity_comparison object_identity | identity & compare compares
  compared equality equal equals value strings is string instead content | compared compare comparing comparison compares & reference
  identity by_reference by_identity pointer object_identity instead_of_value
equals-hashcode: cwe_581 | hashcode equals_and_hashcode hash_code & equals override overridden eq implement mismatch inconsistent
  consistent | equals & hashcode
inverted-condition: cwe_670 cwe_480 cwe_697 missing_negation negation should_be_negated not_operator exclamation negate | invert inverted
  inverse negated reversed flipped backwards wrong_way other_way upside_down back_to_front wrong_way_round opposite & condition check logic
  test boolean predicate comparison flag sign if guard branch result meaning filter | condition check comparison predicate & wrong
  wrong_way_round opposite backwards reversed | lets rejects accepts blocks allows denies & wrong opposite exactly | true & false & swapped
  instead should returns inverted
wrong-operator: wrong_operator incorrect_operator cwe_480 | operator & wrong instead mistaken incorrect should swapped typo | subtract
  subtracts subtraction minus subtracted & add adds adding addition plus sum instead | multiply multiplies & add divide divides instead
  division | bitwise & logical boolean instead | greater less & than & instead should be comparison wrong
precedence: cwe_783 | precedence parenthesis parentheses brackets binds & operator operators expression missing wrong evaluate evaluated
  order tighter without ternary
wrong-variable: wrong_variable copy_paste_error | wrong_variable wrong_field wrong_argument wrong_parameter wrong_property wrong_column
  wrong_key wrong_constant wrong_object wrong_id wrong_list wrong_array copy_paste_error copy_paste_mistake copied_from pasted & instead
  should used uses copy paste wrong | uses & instead & of & wrong variable field id argument property
swapped-arguments: cwe_683 wrong_argument_order argument_order parameter_order | swap swaps swapped transposed exchanged mixed_up
  reversed wrong_order reverse_order interchanged order & arguments argument parameters params operands coordinates latitude longitude
  width height coordinate source destination actual expected
assignment-in-condition: cwe_481 | assignment assigns assigned single_equals & condition if comparison instead_of while
switch-fallthrough: fallthrough fall_through falls_through missing_break cwe_484 | break & case switch missing forgotten without
missing-case: default_branch default_case else_branch missing_case unhandled_case exhaustive exhaustiveness nonexhaustive cwe_478 |
  switch enum case variant & $not unhandled cover covered exhaustive handled handles default missing new_value every_value
unreachable: unreachable dead_code dead_branch never_reached never_executed never_runs cwe_561 cwe_570 cwe_571 always_true always_false
  constant_condition | condition check branch comparison & always never & true false taken same
missing-return: missing_return missing_return_statement | return_statement & $not | returns & undefined nothing & instead
shadowing: shadow shadows shadowed shadowing redeclare redeclared redefines redefined & variable outer parameter name builtin import
  built_in local
mutable-default: mutable_default default_argument default_parameter & mutable shared list dict calls once between_calls
mutated-input: defensive_copy | mutate mutates mutated mutation modifies modified modify alters altered changes in_place & argument input
  parameter caller callers passed original props state prop given frozen array shared_object list_passed param | side_effect side_effects &
  input argument getter caller | caller & list array object copy & changed modified mutated surprised changes | caller callers & list array
  object argument map & sorted reversed changed emptied modified order sort side
modified-while-iterated: concurrentmodificationexception concurrent_modification | iterate iterates iterating iterated iteration loop
  looping walking traversed & modify modifies modified removing remove removes removed delete deletes mutate mutated adding changed changes
  insert & while during same loop collection list map iterated
loop-capture: late_binding | capture captures captured closure closes_over lambda & loop loop_variable late last_value same_value
  iteration var latest
aliasing: alias aliases aliased aliasing shallow_copy shallow deep_copy shared_reference same_reference same_instance & copy reference
  object array list nested instance share both clone mutate default
wrong-sort: comparator compareto sort_function compare_function sorting_function & wrong inconsistent boolean transitive contract
  subtract overflow returns symmetric | lexicographic lexicographically alphabetical alphabetically as_strings string_order & sort sorted
  number numbers numeric numerically order | sort sorted sorting order ordered ordering & wrong unstable stable descending ascending
  reversed reverse undefined nondeterministic opposite direction mistaken oldest newest deterministic numeric arbitrary unspecified
wrong-regex: cwe_185 cwe_777 | regex regexp regular_expression pattern & anchor anchored unanchored unescaped dot greedy match matches
  wrong too_loose partial too_strict substring case whole rejects accepts allows lazy misses prefix anything | anchor anchors unanchored &
  match pattern
case-sensitivity: case_sensitive case_insensitive case_sensitivity case_insensitively cwe_178 | upper_case lower_case uppercase lowercase
  casing capital capitals capitalization letter_case mixed_case tolowercase tolower & compare compared comparison match matches differ
  lookup different email sensitive ignore normalized key username considered missed duplicates header
whitespace: whitespace trim trimmed trailing_space leading_space blank blanks trailing_newline strip stripped & $not input compare value
  trailing leading only spaces trimmed match before around padding surrounding key ignored
encoding: charset utf8 utf_8 utf16 latin1 mojibake code_page character_set character_encoding platform_encoding default_encoding cwe_838
  cwe_172 double_encoded double_escaped doubly_escaped non_ascii | encoding encode decode decoding encoded decoded & platform default wrong
  assume assumes utf non_ascii mismatch explicit specify specified twice text bytes garbled umlauts accents | bytes & characters string
  decode
unicode: unicode surrogate grapheme emoji emojis combining_character code_point code_points normalization_form nfc homoglyph multi_byte
  multibyte
newline: line_ending line_endings crlf_line carriage_return newline_at | newline newlines & windows unix platform missing trailing end
  mixed
int-parsing: parseint parse_int radix octal base_10 leading_zero | parse parsed parsing & number integer int & unchecked invalid nan base
  garbage fails partial trailing
json-parse: json_parse json_loads | parse parsing parsed decode & json xml yaml & malformed invalid unguarded crash throw throws bad
  broken broken_input exception try_catch uncaught unhandled fails
falsy-zero: falsy truthy truthiness nullish_coalescing double_pipe | zero 0 empty_string empty & treated counted considered seen taken
  regarded & missing absent unset false none null undefined default not_set | default fallback & zero 0 false empty_string & replaced
  legitimate valid overrides overwritten
key-collision: collide collides collision collisions clash clashes clash_of name_clash | same_key & different two overwrite overwrites
  distinct | key keys id ids & ambiguous unique non_unique concatenated separator duplicate & overwrite two different record distinct
  separator
infinite-loop: infinite_loop endless_loop loops_forever never_terminates never_ends infinite_recursion busy_loop busy_wait spin spins
  spinning cwe_835 cwe_834 | loop loops while & forever endless endlessly infinite exit terminate ends stop never_stops advance unchanged &
  never $not forever infinite endless endlessly | loop & forever endless endlessly infinite | never & terminates terminate ends exits &
  loop condition | loop & counter index cursor offset & advance advances advanced incremented increments changes updated never
deep-recursion: stack_overflow recursion_depth recursion_limit unbounded_recursion cwe_674 | recursion recursive recurses recursively &
  deep depth stack limit unbounded base_case cycle cyclic nested overflow blow terminate endless infinite | cycle cycles cyclic & visited
  detect recursion forever guard
uninitialized-variable: uninitialized uninitialised undefined_variable | before & assigned assignment initialized declared definition
  defined set & used use read referenced
wrong-default: default defaults & wrong unsafe surprising dangerous insecure unexpected bad incorrect should production changed differs
wrong-condition: condition filter predicate guard & too_strict too_loose too_narrow too_wide rejects_valid edge_case excludes includes
  misses covers
early-return: early_return early_exit returns_early bails_out returns_too_early return_inside_loop | return returns & inside loop
  first_iteration first_match & after early only
missing-validation: unvalidated unsanitized unsanitised missing_validation input_validation cwe_20 cwe_1284 | $input value values amount
  quantity price field fields age number limit size length range date email id & validate validated validation sanitize sanitized checked
  check verify verified vet & $not without before unchecked never no any missing unvalidated nowhere | accept accepts accepted allow allows
  allowed takes possible permit permits & negative any_value arbitrary garbage nonsense empty unlimited zero anything invalid out_of_range
  absurd any_length huge malformed & value amount number input quantity string length name price field order limit age size email balance
  date id | unchecked & $input value amount length size range | negative & amount quantity price value number count & accept check reject
  validated possible allow through checked | reject validate validated & input value negative should request server
client-side-check: client_side frontend browser client & validation validated check enforced only checks & only server $not bypass
  trusted trust alone
missing-bound: upper_bound upper_limit maximum max_length size_limit length_limit cap ceiling & $not no without missing unlimited
  unbounded enforced set never
numeric-stability: softmax logits logsumexp log_sum numerically_stable numerical_stability catastrophic_cancellation | exp exponent &
  overflow infinity inf large | subtract & maximum max & exp softmax
signal-safety: async_signal signal_handler signal_safe reentrant | handler & signal sigterm sigint sigchld & malloc printf allocate lock
  unsafe safe stdio inside called | printf malloc logging & signal sigterm handler | deadlock & signal sigterm malloc
unaligned: unaligned alignment misaligned read_unaligned align odd_address odd_addresses | cast casting pointer & bytes header struct &
  aligned address anywhere ub
undefined-behavior: undefined_behavior ub strict_aliasing | undefined & behavior behaviour
endianness: endian endianness byte_order big_endian little_endian network_order htons ntohl
iteration-order: iteration_order map_order hash_order hashmap_order unordered nondeterministic_order | hashmap map set dict dictionary &
  order & iteration random changes differs deterministic sort generated
map-file: mmap mapped mapping sigbus | mapped & truncate truncated shrinks file
boolean-parsing: strtobool bool_of_string | string & false & true truthy bool boolean non_empty | environment env & bool boolean false
stack-size: stack_overflow large_array on_the_stack stack_allocation stack_frame alloca vla
priority-inversion: priority_inversion priority_inheritance starvation starves starve starved fairness unfair
interrupt-context: isr interrupt_handler interrupt_context in_interrupt | interrupt handler & long blocking sleep printf allocate shared
  volatile
bit-manipulation: bit_mask bitmask bit_shift shift_width sign_extension read_modify_write_register | shift shifted & width bits undefined
  negative sign | register & bits flags clobber overwrite mask
fixed-point: fixed_point saturation saturate clipping clip clips clamp
false-sharing: false_sharing cache_line padding cacheline
fd-inherit: cloexec o_cloexec close_on_exec inherit inherited inherits & child descriptor
zombie-process: zombie reap reaped waitpid orphan_process child_process_left | child children process & killed left reaped wait
eintr: eintr short_read short_write partial_read partial_write sa_restart | read write recv send & returns & fewer less short partial
  bytes
goroutine-loop: context_background ctx_background context_leak cancel_func | context ctx & cancel timeout passed propagate background
  todo
nil-interface: typed_nil nil_interface nil_map nil_slice nil_channel
slice-aliasing: append & backing_array slice capacity shares share overwrites overwritten
defer-in-loop: defer & loop function_ends returns until
thread-local: thread_local threadlocal request_scoped mdc | thread_pool pool & thread_local context leaks previous request
finalizer: finalizer finalize destructor __del__ weak_reference weakref retain_cycle strong_reference weak_self | self & captured strong
  strongly weak closure retain cycle
object-identity-cache: interned integer_cache string_pool
generator-laziness: lazy lazily deferred_execution multiple_enumeration enumerated_twice | query sequence enumerable & evaluated
  enumerated twice lazy
lazy-loading: lazy_loading lazyinitializationexception detached_entity session_closed open_session
proxy-bypass: self_invocation transactional_private proxied proxy_bypassed | transactional async cacheable annotation & same_class
  private self this ignored no_effect
`;

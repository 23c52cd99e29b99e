/** Weaknesses of data, interfaces, time, screens, delivery and operation. In the notation of `weaknesses.ts`. */
export const systemWeaknesses = `
time-zone: time_zone timezone timezones utc gmt local_time naive_datetime naive_date offset_aware tz midnight_local server_time
  local_midnight | zone & date time offset wrong | users customers & other zones zone tokyo berlin sydney abroad elsewhere & day date |
  local & server time day date midnight | offset & date day parsed dropped ignored | wrong previous next & day & users evening midnight
daylight-saving: daylight dst summer_time winter_time clock_change 23_hours 25_hours | 24_hours 86400 & day always assume assumes adding
  add | hour & skipped repeated twice & clock day | clocks & forward back autumn spring change | changeover & day hour time clock | hour &
  twice missing repeats nonexistent & night october march autumn spring
leap-year: leap_year leap february 29 365 leap_second month_end 31st end_of_month month_lengths days_in_month
month-index: zero_based | month months & index off 0 january getmonth
clock: monotonic wall_clock wall_time system_clock clock_skew skew clock_drift ntp | clock & jump jumps adjust adjusted backwards elapsed
  duration differ measure | lease deadline timeout elapsed duration & wall system_time systemtime clock_realtime ntp jumps step | monotonic
  & clock
date-format: date_format yyyy ambiguous_date two_digit_year week_year iso_8601 iso8601 strftime strptime | date dates timestamp & format
  formatted ambiguous parse parsed pattern locale string month_first day_first
expiry-boundary: expiry expired expires & boundary exact exactly equal inclusive compare second
schedule: cron crontab schedule scheduled scheduler & overlap overlaps overlapping twice missed zone concurrently previous_run runs
currency: currency currencies exchange_rate & mixed different missing assume assumes convert conversion add adds wrong ignore ignored
  hard_coded without code
tax-discount: discount discounts coupon tax vat & order before after stack stacked applied twice negative below_zero gross net base wrong
refund: refund refunds & exceed exceeds twice more_than partial
n-plus-one: n_plus_one n_1 1_n eager_load eager_loading prefetch select_related dataloader batch_load | query queries select request call
  lookup lookups fetch round_trip round_trips database & per_row per_item each every per_record for_each loop inside_loop in_loop loops
  iteration one_by_one per_element individually per_user per_order per_entry per_iteration & $database query queries request lookup load
  fetch call round_trip | query queries request requests call calls & hundred hundreds thousand thousands & page list row rows item items
  order orders | query queries lookup & loop | each every per & row record order item user customer & queries query fetched loads fetches
  lookup lookups trip | batch batched single_query join in_clause & instead should query load could
missing-index: missing_index full_table_scan table_scan sequential_scan full_scan seq_scan | index indexed & $not without no missing
  needs add lacks unused & column query table filter lookup foreign_key order search field | scan scans & table whole every rows | lookup
  filter query where order & scans scan reads & all every whole entire table rows | add & index
select-star: select_star select_all | columns fields & all every unneeded unnecessary unused only needed fetched star too_many
unbounded-query: unbounded_query unbounded_result paginate | limit page pagination paginate paginated paging & $not without no missing
  unbounded lacks add needs & query list endpoint rows results table returns fetch response all | all every whole & rows records entries
  users table results orders & returned return returns fetch fetched load loads loaded query unbounded at_once | loads returns fetches
  reads lists dumps & all every whole entire & rows records users orders table | ten_thousand million millions & rows records | limit &
  clause add needs | add & pagination limit | page_size limit & unbounded clamp clamped maximum cap huge million | one_call & table pull
  whole
missing-transaction: transaction transactional atomic atomically unit_of_work & $not without outside no missing needs should separate
  wrapped wrap must one single lacks | two several both multiple & writes updates inserts statements steps & separate separately
  transaction atomic independent first second | committed & separately individually | crash fails failure dies & between & writes updates
  inserts statements two them steps calls | money balance debit & credit & atomic transaction between separately | transaction & wrap
  should one single use needs
isolation: isolation_level dirty_read phantom_read repeatable_read read_committed serializable write_skew non_repeatable
transaction-long: transaction & long_running held_open open_for across during inside keeps_open hold & network call http external remote
  email slow api request locks
lost-write: optimistic_lock optimistic_locking version_column etag if_match last_write_wins last_writer | overwrite overwrites
  overwritten clobber & concurrent other someone changes edit edits changes_of update newer earlier previous another
migration-lock: table_lock locks_the_table | migration alter_table alter index_creation create_index schema_change & lock locks locked
  block blocks blocking exclusive downtime large_table rewrite rewrites long | concurrently & index | alter index add & table & lock locks
  blocks writes downtime minutes production traffic large
migration-irreversible: irreversible down_migration | migration migrations & rollback reversible down undone reverted revert roll_back
  rolled_back undo back & $not no without missing cannot empty never lacks
migration-null: not_null non_null notnull & column default existing rows migration backfill | existing rows & default backfill fail
  column migration required
migration-order: migration deploy deployment rollout column code & before after old_version old_code running_instances rolling order
  renamed dropped removed still_used still_read & column table code deploy instances
data-loss: data_loss drop_table drop_column | drops deletes deleted wipes truncates lose loses lost destroys erased & data column table
  rows records existing production user_data migration backup history
missing-constraint: unique_constraint uniqueness unique_index unique foreign_key referential constraint check_constraint & $not without
  no missing enforced needs lacks only_application duplicates duplicate add never | two same duplicate & rows users records accounts emails
  & possible can inserted exist nothing_stops prevent database | database & enforce enforces guarantee & unique uniqueness reference
orphan-rows: orphan orphans orphaned dangling_rows on_delete cascade cascading cascades | deleted delete deleting & parent children child
  dependent related references left behind leftover
soft-delete: soft_delete soft_deleted deleted_at tombstone is_deleted | deleted removed inactive & records rows users items entries still
  & included returned shown counted appear listed visible filter
wrong-join: cartesian_product | join joins joined & duplicate duplicates rows multiplies cartesian cross inner left outer wrong fan_out
  drops
sql-null: null nulls & not_in sql comparison count where excluded equals three_valued unknown aggregate column
stale-replica: replica replication_lag read_replica eventual_consistency eventually_consistent read_your_writes replication & stale lag
  old read write behind just_written consistency
upsert: upsert on_conflict insert_or_update get_or_create find_or_create & race duplicate unique conflict concurrent
bulk: batch batched bulk & one_by_one single individually instead insert inserts should could row_by_row per_row
offset-paging: offset_pagination keyset page_drift | offset page pages paging & skip skips skipped missing duplicate duplicates shift
  deep slow inserted stable repeated
schema-mismatch: schema column field type & mismatch mismatched drift out_of_sync differs disagree incompatible & database model entity
  migration definition schema type
breaking-change: breaking_change backward_compatible backwards_compatible backward_compatibility backwards_compatibility
  incompatible_change compatibility semver | breaks break broken breaking & client clients consumer consumers caller callers existing
  integrations public_api contract api downstream | renamed removed changed dropped & public field endpoint parameter response export api &
  clients consumers callers contract existing without version major deprecation | old existing & clients consumers & fail break rely expect
  crash depend | old existing current deployed mobile & clients apps callers consumers versions & break fail crash still expect send parse
  lose
wrong-status: status_code http_status status & 200 201 204 400 401 403 404 409 422 500 wrong returns returned instead should success
  error ok | 404 403 401 400 500 422 409 & instead returns return returned should respond
http-method: http_method http_verb get_request & side_effect mutates changes deletes state post put patch wrong modify modifies safe |
  get & post & should instead use
content-type: content_type mime_type accept_header media_type content_disposition & missing wrong header set response
cache-header: cache_control cache_header etag vary_header vary max_age expires_header
over-fetching: over_fetching overfetching | payload response & large too_much unneeded unnecessary bloated whole_object every_field heavy
  internal_fields
optional-required: required optional mandatory & field parameter property marked should mismatch schema documented spec although made
  argument
api-design: inconsistent inconsistently & naming response shape format convention other_endpoints casing api style with_other
  error_format
undocumented: undocumented | documentation documented docs readme docstring javadoc jsdoc changelog api_docs release_note & $not missing
  no without lacks needs add absent
outdated-docs: docs doc documentation comment docstring readme javadoc example help_text & outdated stale wrong describes says claims
  contradicts contradict old mislead misleading incorrect no_longer match matches disagree differs disagrees obsolete out_of_date still
  mentions promises | comment docs readme docstring javadoc & still says mentions talks refers describes & old former but removed longer
deprecated-use: deprecated deprecation legacy_api
ack-early: ack acks acknowledge acknowledged acknowledges acknowledgement commit_offset offset_committed auto_commit & before early
  processing processed finished handled lost crash prematurely first work done | message messages job event & lost lose loses & crash
  crashes dies worker consumer & ack acknowledged acked before already | offset & committed stored before after handler insert processing
  finishes | store commit & offset offsets after before
message-loss: outbox | message messages event events job jobs notification & lost lose drop dropped drops vanish vanishes disappear
  discarded never_delivered dual_write outbox
poison-message: poison poison_message dead_letter dead_letter_queue dlq | message bad failing malformed & requeue requeued redelivered
  forever blocks blocked stuck queue partition retried endlessly | bad malformed broken failing one & message & blocks block stops stuck
  retried again forever queue consumer
message-order: out_of_order message_order message_ordering event_order partition_key | events messages updates & order ordering sequence
  reordered & guarantee guaranteed wrong arrive processed older
stale-cache: stale invalidate invalidated invalidation outdated_cache cache_coherence | cache cached cache_entry memoized & old outdated
  stale invalidated refreshed updated evicted cleared purge purged expire after_update after_write never ttl until_restart still_served &
  $not never after update change write old still refreshed | cache cached & invalidate evict purge busting | old previous outdated former &
  value data price version & shown served returned seen visible still & until after update restart cache cached | cache cached memoized &
  forever never & refreshed updated cleared changes expires
cache-key: cache_key | cache cached & key tenant user locale language per_user parameter & missing ignore ignores ignored lacks include
  part shared collide same without another wrong | cache cached & served shared mixed & user users tenant tenants | user users tenant
  tenants customer & sees see gets receive & another other someone_else foreign & cache cached data page | same & cache cached entry &
  different languages users tenants locales
cache-stampede: stampede thundering dogpile | cache & miss expire expires & all many every simultaneously at_once concurrent recompute
cache-ttl: ttl time_to_live | cache cached entry entries & expire expires expiry expiration & never forever long no without
cache-error: cache cached caching caches memoized & error errors failure failures rejected exception failed null negative empty promise
schema-evolution: schema_evolution schema_registry avro protobuf field_number field_numbers tag_number reuse | field tag & number & reuse
  reused reusing taken recycled | old & clients readers consumers & decode read interpret & field tag | reserved & field tag number
unpinned: unpinned pinned pin pinning latest floating_tag floating_version latest_tag lockfile lock_file reproducible non_reproducible |
  version versions tag image action dependency digest sha & pin pinned unpinned latest floating range mutable moving exact lock locked
  caret | latest & image tag version action dependency base | tomorrow next & build & different other version break | branch master main
  tag & action actions & pinned sha commit
container-root: run_as_root runs_as_root root_user non_root runasnonroot as_root user_directive user_instruction privileged | container
  image docker pod & root privileged unprivileged user_id capability capabilities | uid_0 root & container runs process image dockerfile
  user
image-size: dockerignore | image layer layers docker & large bloated big multi_stage size smaller slim alpine cache_layer megabytes
  bigger build_tools compiler
layer-cache: layer docker dockerfile build & cache invalidated busted order copy before dependencies every_build reinstall
health-check: healthcheck health_check liveness readiness probe probes health_endpoint healthz
resource-limits: resource_limits memory_limit cpu_limit resource_request resource_requests limits_and_requests | container pod deployment
  workload process & limit limits quota & memory cpu $not without missing no resources | pod pods container job & starve starves node
  memory cpu eat take whole limits evict neighbours neighbors
single-replica: single_point_of replica replicas failover high_availability pod_disruption one_instance single_instance
infra-drift: terraform state_file drift tfstate remote_state state_locking | hard_coded hardcoded & region account_id arn subnet zone
deletion-protection: deletion_protection prevent_destroy force_destroy backup backups snapshot retention versioning & $not missing
  disabled without bucket database enabled no delete
ci-hidden: continue_on_error allow_failure soft_fail | ci build pipeline job step workflow & green pass passes passing succeed succeeds
  success & although even fail fails failing failure failed hidden despite ignored masked | exit exits exit_code exit_status & zero 0
  success & fail failure error failing although
ci-trigger: workflow pipeline job ci & trigger triggered runs skipped never_runs branch path_filter event & $not only wrong every never
missing-env: environment_variable env_var env environment & $not missing unset undefined default documented absent checked validated
  empty without
config-validation: misconfiguration | config configuration setting settings option & validated validation ignored unused invalid unknown
  typo wrong default parsed silently misconfigured
hardcoded-value: hard_coded hardcoded hard_wired magic_value baked_in & path url host port region value address limit number id hostname
  string timeout environment localhost | configurable & should make instead $not
feature-flag: feature_flag feature_toggle flag toggle kill_switch & default on off enabled disabled checked removed stale rollout gate
  behind everyone bypass always
shell-quoting: unquoted quoted quoting quotes word_splitting glob globbing shellcheck sc2086 | space spaces & filename path variable
  shell argument
shell-errors: set_e pipefail errexit set_u | script shell & error fail fails failing & continues ignored exit goes_on carries_on aborts
  stop keeps
destructive-command: rm_rf | delete deletes wipe wipes rm & everything root_directory wrong_directory whole_disk unset_variable
  empty_variable
cd-unchecked: cd change_directory & fail fails check checked unchecked
unused-dependency: unused unneeded unnecessary superfluous & dependency dependencies package library
dev-dependency: dev_dependency devdependency dev_dependencies devdependencies | runtime production & dev development & dependency
  dependencies package
heavy-dependency: bundle_size tree_shaking tree_shake | whole entire heavy large & library lodash moment dependency package & import
  imports bundle one_function pulled pulls
circular-import: circular_import circular_dependency import_cycle dependency_cycle cyclic_import cyclic_dependency | circular & import
  module dependency reference
version-conflict: peer_dependency version_conflict incompatible_version version_mismatch dependency_conflict minimum_version | version
  versions & conflict incompatible mismatch mismatched older newer requires support unsupported
artifact-committed: gitignore committed checked_in & build generated artifact binary node_modules output cache log_file
merge-marker: merge_conflict conflict_marker
license: license licence copyright gpl spdx
log-level: log_level | log logs logged logging & level debug info error warn warning & wrong should instead too severity
log-noise: log logs logging logged & noise noisy flood floods spam every_request verbose too_much per_item volume excessive fills
  too_many twice
log-context: correlation_id trace_id request_id | log log_line log_entry & context identifier which detail useless vague unhelpful
  unclear generic
metric-cardinality: cardinality time_series | metric label labels & user_id unbounded url unique | label labels series time_series & user
  customer id user_id identifier each every unique per explode blow prometheus memory
missing-metrics: metric metrics monitoring alert alerts alerting observability instrument instrumentation telemetry & $not missing no
  without lacks nobody needs add
unclear-message: error_message message messages exception_message error_text & unclear vague generic unhelpful cryptic misleading
  confusing meaningless useless says tells name names mention detail which & $not vague unclear generic unhelpful cryptic misleading
  confusing meaningless useless only
log-and-throw: log logged logs & rethrow rethrown throw thrown twice duplicate again
disk-full: disk_space disk_full inode log_rotation rotate | disk & fill fills full grows rotation rotated space
atomic-write: fsync atomic_write atomic_rename write_then_rename | file config & half_written partial partially torn corrupt corrupted
  truncated crash interrupted & write written writing save atomically rename
windows-path: backslash path_separator forward_slash | windows & path separator slash fail break works separators
platform: windows macos linux posix bsd gnu platform_specific platform_dependent portable portability non_portable arm architecture
  endian endianness
locale-format: decimal_separator decimal_comma thousands_separator turkish_i collation collator localecompare | locale locales & number
  decimal comma date format currency default parse formatted separator lowercase turkish tolower dependent fixed hardcoded sort
hardcoded-text: untranslated translatable localizable localizability i18n internationalization internationalisation gettext
  translation_key | hard_coded hardcoded literal english fixed & text string label message english german translated translate translation
  localized translation_file ui language resource_file | translate translated translation & $not missing key absent wrong never language
  file locale | german french english & only always shown appears stays users see | translation & key move should extract
plural-forms: plural plurals pluralization pluralisation singular | one_item & items | forms & more_than_one two items | n_1 & items
  singular | one & items files messages & reads says shows
text-concat: concatenated concatenates sentence assembled fragments word_order & translation translate translators translated languages
  sentence localized
rtl: rtl right_to_left bidi arabic hebrew
text-overflow: longer_translations german_text text_overflow ellipsis clipped cut_off | text label string button & overflow overflows
  truncated clipped cut fixed_width wrap
alt-text: alt_text alt_attribute alternative_text | image images icon picture img & alt alternative description described text
  screen_reader accessible_name & $not missing no empty without lacks | screen_reader screen_readers voiceover & image picture photo logo |
  image picture photo & filename file_name read announced described
accessible-label: aria_label accessible_name aria_labelledby unlabeled unlabelled | label labels labelled name & input button field
  control icon form & $not missing without no unlabeled lacks screen_reader accessible announces only_placeholder placeholder | placeholder
  & label | screen_reader screen_readers voiceover & announce announces read reads hears & button input field icon only bare just | blind &
  user users & know control button purpose
contrast: contrast wcag legible gray_on grey_on light_gray light_grey pale ratio | color colors colour grey gray text background &
  readable unreadable faint light pale contrast ratio illegible hard_to_read | ratio & text 4 3 | hard & read & text label gray grey
color-only: color_blind colorblind colour_blind | only solely alone & color colour red green & convey information state error indicate
  signal blind
keyboard: keyboard tab_key tabindex tab_order enter_key mouse_only | mouse click & only & keyboard reach operate | keyboard & reach
  reached unreachable operate operated usable focusable cannot users | mouse & only pointer required
focus: focus_trap focus_ring focus_order focus_management focus_indicator outline_none | focus & lost trap trapped returned moves moved
  visible invisible outline outline_none restore dialog modal leaves stays
live-region: aria_live live_region | announce announced announces & $not screen_reader status change
motion: prefers_reduced_motion reduced_motion animation autoplay flashing vestibular
heading-order: heading headings & level order skip skips skipped hierarchy structure
touch-target: touch_target tap_target | button target & small tiny tap touch finger pixels
semantic-html: aria_role | div span & button link clickable semantic role instead
layout-shift: layout_shift cumulative_layout cls flicker flickers flash_of | jump jumps jumping shifts & page content layout image loads
rerender: rerender rerenders rerendering re_render re_renders re_rendering usememo usecallback memoization | new_object new_function
  inline_function inline_object & render props every each
list-key: key_prop react_key array_index index_as_key | key keys & index list render react items element unique array_index | rows items
  list & reorder reordered insert inserted deleted & state input mixed wrong key index
effect-deps: dependency_array exhaustive_deps stale_closure effect_dependencies | useeffect effect hook & dependency dependencies missing
  every_render runs cleanup infinite loop stale | effect & runs & every never once again old | old stale first & value props closure &
  effect callback interval handler
hooks-rules: rules_of_hooks | hook hooks & conditional conditionally inside condition loop early_return
state-mutated: state redux store props & mutate mutated mutates mutation directly immutable immutably in_place setstate spread
unmounted: unmount unmounted unmounting component_is_gone after_unmount setstate_on
hydration: hydration hydrate ssr server_render server_rendering
debounce: debounce debounced throttled keystroke every_keystroke every_key every_scroll every_letter | event input typing scroll & each
  every request
double-submit: double_submit double_click submit_button submitted_twice form_twice | button submit form & twice disable disabled again
  repeatedly while | click clicks clicked pressing press & twice double again & button order form payment
loading-state: loading_state spinner skeleton loading_indicator empty_state | loading & state indicator shown feedback nothing blank &
  $not missing no blank
optimistic-ui: optimistic & update ui rollback revert fails
race-response: response responses request requests search result results answer & out_of_order older late stale slower earlier previous
  latest newer arrive arrives overwrite overwrites last & response request result answer results | earlier older slow slower previous first
  & response request answer result search query & overwrites replaces wins after later arrives shown
css: z_index overflow_hidden css stylesheet flexbox media_query viewport breakpoint mobile_layout stacking_context | underneath behind
  beneath covers covered hidden & header menu dialog modal overlay dropdown
performance: slow slower inefficient inefficiency performance quadratic o_n expensive wasteful latency cpu costly linear_scan bottleneck
  overhead
repeated-work: recomputed recompute recalculated recalculates recreated recompiled reparsed repeated_computation computed_again
  evaluated_again re_read compiles constructed memoize hoist | compute computed calculate parse compile read load create build created
  built parsed compiled loaded allocate instantiate & every_call each_call every_time every_iteration each_iteration per_request
  every_request each_request in_loop inside_loop in_the_loop again repeatedly over_and_over hoist outside_loop once memoize
quadratic: quadratic o_n2 n_squared nested_loop nested_loops linear_search linear_scan | includes indexof contains lookup search find &
  loop list array inside each & set map instead quadratic hash | string & concatenation loop builder stringbuilder append
allocation: allocate allocates allocation allocations boxing garbage_collection copies copy copying & needless unnecessary every each
  hot_path loop avoid excessive large preallocate capacity
model-leakage: data_leakage target_leakage train_test | test_set validation_set test_data & training fitted scaler leak leaks
  before_split
random-seed: seed seeded seeding reproducible_results nondeterministic_training random_state
gpu-memory: gpu cuda device_memory no_grad detach gradient gradients zero_grad
train-mode: eval_mode train_mode dropout batch_norm batchnorm
sampling-bias: bias imbalance imbalanced class_balance skewed stratify stratified
battery: battery wake_lock wakelock background_location polling_interval
polling: polling polls busy_wait busy_waiting | poll & often interval tight second instead push event
interrupt: interrupt_handler isr interrupt_service watchdog
dns-cache: dns resolved_address resolved_ip dns_cache name_resolution | resolve resolves resolved & address ip host & once forever
  startup cached | failover & address ip old dead
reproducible-build: reproducible nondeterministic_build source_date_epoch bit_for_bit | build builds archive artifact package & timestamp
  date time hash hashes checksum & differ different differs embedded identical same commit
fail-open: fail_open fails_open fail_closed fails_closed | allow allows allowed granted enabled exposes on permits passes through &
  unreachable unavailable outage down error exception timeout fails & default service provider check flag access request | default defaults
  falls fall & on true allow enabled & down outage fails unavailable unreachable service provider
split-brain: split_brain fencing fencing_token lease leases leader_election two_leaders two_holders stale_leader | lease lock leader
  holder & expired expires ttl pause paused outlives two old deposed still | older stale & token reject write storage
tombstone: tombstone tombstones gc_grace resurrect resurrects resurrected zombie_rows | deleted removed & rows records items & reappear
  back return come_back repair purged
replication-conflict: vector_clock crdt last_writer_wins conflict_resolution quorum read_quorum write_quorum | replica replicas nodes &
  diverge disagree conflict conflicting merge
consumer-offset: at_most_once at_least_once offset_commit offsets commit_interval | offset offsets & committed stored commit commits &
  before after processed handler insert finishes
hot-partition: hot_partition hot_key hot_shard skew skewed data_skew | partition shard key & uneven one_node single_node monotonic
  sequential all_writes hotspot
rebalance: rebalance rebalancing consumer_group max_poll session_timeout heartbeat | consumer worker & kicked evicted group slow poll
  heartbeat
packet-size: mtu fragment fragments fragmentation datagram jumbo path_mtu | udp packet packets payload & bytes size large big 1200 1500
  drop dropped vanish
keep-alive: keepalive keep_alive idle_timeout idle_connection half_open nat_timeout | connection connections & idle stale dead & reused
  dropped closed reset load_balancer
nagle: tcp_nodelay nagle delayed_ack small_writes
sampling-trace: head_sampling tail_sampling tail_based sample_rate | trace traces span spans & sampled sampling dropped thrown lost
  errors decision
service-worker: service_worker skipwaiting skip_waiting offline_cache precache | old & page html tab tabs & new & chunk chunks bundle
  bundles assets | hashed & bundles gone missing
spark-shuffle: shuffle collect_to_driver broadcast_join spark executor partitions | driver & collect memory rows
late-data: watermark late_event late_events event_time processing_time window | late & events records & dropped ignored window
search-index: reindex refresh_interval analyzer tokenization stemming elasticsearch mapping | search index & out_of_sync stale updated
  reindexed
email-delivery: spf dkim dmarc bounce bounces unsubscribe mail_header | mail email mails & spam rejected bounced sender
robots-seo: canonical canonical_url noindex robots sitemap hreflang
geo: latitude longitude lat_lng coordinate coordinates projection srid wgs84 haversine antimeridian
media-frames: frame_rate sample_rate resampling aspect_ratio color_space colour_space exif orientation | image photo & rotated sideways
  orientation
print-layout: page_break print_stylesheet pdf_page | pdf print & cut off page
ui-thread: ui_thread main_thread jank anr strictmode frame_drop dropped_frames dispatchers_io shared_preferences | disk io network
  database write read & main ui thread onclick oncreate click
lifecycle: ondestroy onpause viewmodel configuration_change activity_leak fragment_leak rotation | activity fragment context view & leak
  leaks leaked static rotation recreated destroyed
app-permission: runtime_permission permission_denied permission_prompt | permission & denied asked granted user location camera
reentrancy: reentrancy reentrant reenter checks_effects_interactions | external call transfer & before balance state updated update
gas-limit: gas gas_limit unbounded_loop_gas block_gas
front-running: front_run front_running slippage mempool sandwich
oracle-price: oracle spot_price price_manipulation flash_loan
k8s-operator: finalizer finalizers reconcile reconciler requeue owner_reference
dashboards-alerts: alert alerts & noisy flapping never fires threshold for page pager wakes
histogram: percentile percentiles histogram bucket buckets p99 p95 average_of_averages | average mean & percentile percentiles latency
  hides tail
experiment: ab_test a_b_test variant variants experiment sample_ratio | variant variants & flip sticky assignment hash user
embedding-model: learning_rate weight_decay gradient_clipping early_stopping overfit overfitting hyperparameter
metric-choice: accuracy f1_score precision_recall auc & imbalanced wrong misleading metric
bloom-filter: bloom bloom_filter false_positive false_positives | filter & sized bits keys rate
wal-durability: wal write_ahead fsync fdatasync durable durability power_cut power_loss power_failure directory_sync | rename & directory
  synced sync fsync durable | crash power & lost returns flushed
`;

/**
 * Weaknesses of security, in the notation of `weaknesses.ts`. Names and usual phrasings follow public catalogues (CWE,
 * OWASP) and the rules of scanners; the choice of words is our own.
 */
export const securityWeaknesses = `
sql-injection: sqli sql_injection cwe_89 parameterize prepared_statement | sql query where_clause statement $database & concat concatenate
  interpolate splice inject glue f_string template_literal string_building | sql query & raw unescaped unsanitized & $input | $input &
  straight directly & sql query | bind placeholder & query sql variable parameter statement value
command-injection: command_injection shell_injection cwe_78 shell_true arbitrary_command shell_false | shell subprocess exec system popen
  spawn command_line & $input concat concatenate interpolate inject unquoted metacharacter | backtick & $input | argument_list argument_array argv &
  shell exec pass instead execfile
code-injection: arbitrary_code code_execution rce code_injection cwe_94 literal_eval | eval exec_string new_function & $input code string
  arbitrary untrusted unsafe dangerous remote | evaluate executed run & $input & code script expression javascript python
template-injection: ssti template_injection | template & $input & render compile evaluate
nosql-injection: nosql cwe_943 | mongo mongodb & operator inject object $input & query filter injection
ldap-injection: cwe_90 cwe_643 | ldap xpath & inject concat concatenate unescaped filter $input
xss: xss cross_site_script cwe_79 innerhtml dangerouslysetinnerhtml html_safe v_html document_write outerhtml bypasssecuritytrust
  script_tag | html markup template page browser dom & unescaped unsanitized raw escaped_not inject script | html & $input & insert render
  put interpolate concat concatenate | script scripts javascript & runs run executes executed execute & browser page visitor viewer victim readers |
  comment name title text value & rendered shown inserted printed output & html markup raw unescaped | stored & script | escape sanitize
  encode textcontent dompurify & html output markup render text dom template
csrf: csrf xsrf cwe_352 csrf_token anti_forgery | request_forgery & cross_site | form post state_changing & forged forgery other_site
  third_party_site foreign_site | samesite & lax strict none | other_site another_site foreign_site malicious_page third_party_page &
  trigger submit post act behalf delete | behalf & user & site page
ssrf: ssrf server_side_request cwe_918 | fetch request download curl connect retrieve call get proxy webhook & internal_address
  metadata_endpoint internal_network internal_host internal_service localhost 169 private_ip loopback intranet metadata_service
  cloud_metadata private_address private_network | url host uri address & $input & fetch download server outbound request retrieve &
  arbitrary any unchecked unvalidated unrestricted $not | fetch & any arbitrary & url host address
open-redirect: open_redirect unvalidated_redirect cwe_601 phishing | redirect return_url next_parameter location_header returnto & $input
  arbitrary any foreign external other_site attacker phishing elsewhere off_site third_party | redirect redirects sends forwards & wherever
  anywhere | relative & redirect | same_origin & redirect
path-traversal: path_traversal directory_traversal traversal zip_slip cwe_22 dot_dot arbitrary_file basename | path filename file_name
  filepath directory & escape outside leave climb & directory root folder base upload | path filename file_name filepath & $input & join
  concat concatenate open read serve unchecked unsanitized normalize arbitrary | archive zip tar entry entries & outside parent overwrite_files
  absolute escape | read reads serve download overwrite write & any_file arbitrary_file etc_passwd outside_the | canonical resolve & path
  prefix base root
xxe: xxe external_entity external_entities cwe_611 billion_laughs | xml & entity entities dtd doctype
deserialization: insecure_deserialization cwe_502 pickle_load pickle_loads unsafe_load safe_load safeloader | deserialize unpickle
  unmarshal pickle yaml_load objectinputstream unserialize marshal_load readobject binaryformatter & untrusted unsafe arbitrary $input
  gadget attacker dangerous insecure code
missing-authorization: idor bola insecure_direct_object missing_authorization broken_access_control access_control cwe_862 cwe_863
  cwe_639 cwe_284 cwe_285 require_role | authorization authorize permission privilege role ownership owner acl tenant entitlement rbac &
  $not check verify bypass unchecked ignore enforce escalate | anyone anybody everyone any_user every_user all_users other_user other_users
  another_user any_logged any_authenticated any_account any_member any_visitor any_caller & can may able could allowed delete read see view
  change call edit access download fetch reach open | another someone_else others other_people foreign & account tenant user customer
  record order invoice document data object & read access view see delete change edit fetch | belongs belong & check verify $not | by
  changing & id number url | guess guessing changing & id ids number & other order account user document | checks verifies & login
  logged_in signed_in authenticated & only not owner role | check verify enforce & owner ownership permission role authorization
missing-authentication: unauthenticated missing_authentication cwe_306 cwe_287 public_endpoint require_login require_authentication
  require_auth | authentication login signed_in logged_in sign_in credentials_check auth auth_middleware & $not skip bypass unprotected
  without public anonymous | anonymous & access call reach endpoint route caller | exposed & without & login authentication auth
excess-privilege: least_privilege too_broad over_broad overly_permissive over_privileged too_permissive overly_broad too_many_permissions
  cwe_250 cwe_269 cwe_732 | wildcard star & permission policy iam action scope resource role grant | admin root full_access administrator
  superuser & needlessly broad grant policy unnecessary more_than excessive too | excessive & permission privilege scope right | narrow
  restrict scope & permission policy role grant
plaintext-password: cwe_256 cwe_312 bcrypt argon2 scrypt pbkdf2 | plaintext plain_text cleartext clear_text unhashed unencrypted
  in_the_clear unsalted as_is & $secret store save database persist column written credential | $secret & hash hashed encrypt & $not
  without
weak-hash: md5 sha1 sha_1 crc32 weak_hash cwe_328 cwe_916 rainbow_table fast_hash | weak broken outdated fast insecure obsolete collision
  & hash digest checksum algorithm & $secret hash crypto | unsalted salt & hash $not | iteration work_factor cost_factor & low few password
  hash | cracked crack brute_forced & hash hashes passwords | sha256 sha_256 fast & password passwords
weak-cipher: ecb rc4 3des weak_cipher cwe_327 cwe_326 padding_oracle cwe_329 gcm | des rsa aes key_size key_length cipher encryption &
  weak short outdated obsolete broken deprecated insecure 1024 512 small | iv nonce initialization_vector & reuse static fixed constant
  repeat same zero hardcoded | encrypt & unauthenticated mac hmac integrity & $not
hardcoded-secret: cwe_798 cwe_259 default_password default_credential default_credentials vault keychain secret_manager secrets_manager |
  hard_coded hardcoded embedded baked checked_in committed in_source in_the_source literal source_code version_control repository git &
  $secret credential | $secret & in_code | $secret & plain & source config file repository code | repository repo & $secret key keys &
  anyone access history everyone | committed & key secret password token keys
secret-logged: cwe_532 | $log & $secret personal pii sensitive credit_card email_address header_authorization authorization_header cookie
  card_number | $secret pii sensitive & end_up ends_up appear visible land lands & log logs output | redact mask scrub & log logs $secret
  output before
secret-in-url: cwe_598 | $secret session_id sensitive & query_string url querystring get_parameter referer link address_bar history
secret-exposed: $secret & build_arg dockerfile image layer image_layer artifact command_line process_list ps bundle frontend client_side
  browser_bundle env_var_in argument argv visible expose leak shell_history | secret & leak | world_readable readable_by & $secret key file
  config
personal-data: pii gdpr personal_data personal_information personally_identifiable private_data | email_addresses phone_number
  date_of_birth & expose leak returned public third_party analytics visible send | consent & without before $not track cookie | anonymize
  pseudonymize & data
information-leak: information_disclosure information_exposure information_leak cwe_200 cwe_209 | stack_trace stacktrace traceback
  exception_message internal_error internal_detail internals error_detail internal_path server_version & client user response return expose
  leak reveal show send caller visible api disclose | verbose & error & user client response | reveal disclose & internal | client user
  visitor response page body & exception stack internal sql_error database_error path paths & shown returned sent sees includes
user-enumeration: user_enumeration account_enumeration cwe_203 cwe_204 | enumerate & user users account accounts email emails | different
  & message response error & login account unknown_user exist email registered | reveals reveal tells leak & account email user username &
  exist exists registered registration | learn learns find_out tell probe & which & email emails accounts addresses users exist registered
timing-attack: timing_attack timing_leak timing_side timing_safe side_channel cwe_208 byte_by_byte constant_time timingsafeequal
  compare_digest hmac_equal | timing & compare comparison $secret signature digest hmac | early_exit & compare comparison |
  string_comparison plain_comparison equals & $secret hmac signature mac digest
weak-random: weak_random insecure_random predictable guessable cwe_330 cwe_338 csprng securerandom randombytes crypto_random
  secrets_module | math_random rand mt_rand random_module & $secret security session id secure code reset key predictable nonce |
  randomness random prng entropy & weak insecure predictable guess seeded low cryptographic | token tokens code codes id session & guess
  guessed guessable predictable predict predicted
tls-verification: insecureskipverify rejectunauthorized verify_false verify_none cwe_295 man_in_the_middle mitm | certificate cert tls
  ssl hostname host_key & verify verification check validate validation trust accept ignore & $not disable off skip any all self_signed
  turned_off false | self_signed & accept trust any
cleartext-transport: cwe_319 cwe_311 hsts http_url over_http ws_url | unencrypted plain cleartext plaintext insecure & http connection
  channel transport smtp ftp telnet wire traffic network | https tls ssl & instead without $not enforce should plain http | network wire
  wifi sniff eavesdrop & read anyone plain listen
cookie-flags: httponly cwe_614 cwe_1004 | cookie & secure_flag secure_attribute flag attribute samesite secure script javascript readable
  http_only | script scripts javascript page & read reads steal access & cookie session_id session_cookie session
cors: cors cross_origin allow_origin access_control_allow_origin | origin & wildcard any star asterisk reflect every all & allow request
  header echo trust
security-headers: content_security_policy csp clickjack x_frame_options frame_ancestors nosniff referrer_policy security_header
  security_headers cwe_1021 | iframe frame & embed any foreign other_site
session-fixation: session_fixation cwe_384 | session session_id & regenerate rotate renew same_id reuse fixation & login $not after
  privilege authentication kept
session-lifetime: cwe_613 | session token refresh_token access_token jwt cookie credential api_key link reset_link invite & expire expiry
  expiration forever lifetime ttl never_expires invalidate revoke revocation logout & $not never long still unlimited forever remain after
  valid | valid & forever logout & token session link | revoke invalidate logout & token session | stolen leaked & token session cookie
  link & forever works usable still
jwt-unverified: alg_none | jwt id_token bearer_token & signature verify decode algorithm alg none_algorithm unsigned audience issuer
  validate | token & decoded & verify verified $not signature
signature-unverified: cwe_345 cwe_347 cwe_353 spoof | signature hmac checksum integrity_hash digest webhook & verify check validate
  unverified & $not before unchecked never trust accept anyone forge forged | forge forged & request webhook event payload callback message
  | webhook & authenticity authenticate origin_check unauthenticated forge spoof | integrity & verify signature | verify check & signature
  & before
rate-limit: rate_limit rate_limiting throttle brute_force lockout captcha cwe_307 cwe_799 | unlimited & attempts guesses tries login
  requests | guess & password code pin otp & unlimited often many times attempts | try tries attempt attempts guess & passwords codes pins
  & endlessly unlimited many thousands without
file-upload: cwe_434 | unrestricted_upload file_upload upload uploaded attachment & extension content_type mime type kind executable
  virus svg php any_file unrestricted size_limit & $not check any arbitrary allow trust validate verify restrict accept
redos: redos catastrophic backtrack cwe_1333 nested_quantifiers overlapping_quantifiers | regex regular_expression regexp pattern &
  exponential quadratic hang nested_quantifier denial slow superlinear cpu freeze | pattern regex expression & busy minutes seconds
  seconds_long crafted craft cpu hangs
prototype-pollution: prototype_pollution __proto__ proto cwe_1321 | prototype & pollute merge key constructor
mass-assignment: mass_assignment over_posting overposting cwe_915 | whole entire all any every unfiltered & body params payload fields
  attributes request & assign assigned bind update spread merge model create copy & model entity record object user | client caller user &
  set & role is_admin isadmin any_field any_column arbitrary_field any_attribute | permit allowlist whitelist & field fields attribute
  attributes params
header-injection: crlf response_splitting header_injection cwe_113 cwe_93 | newline line_break carriage & header inject | header & inject
  $input & unsanitized unescaped raw newline
log-injection: log_injection log_forging cwe_117 | newline line_break control_character & log forge fake entry
csv-injection: csv_injection formula_injection cwe_1236 | formula & csv spreadsheet excel cell export
symlink: symlink symbolic_link cwe_59 | follow & link links
temp-file: mktemp tmpnam cwe_377 | predictable guessable fixed world & temp temporary tmp & file name path directory
file-permissions: world_readable world_writable chmod umask 0777 777 0666 cwe_276 | permission permissions mode & file directory socket &
  loose open broad wide everyone others
supply-chain: dependency_confusion typosquat subresource_integrity cwe_494 cwe_829 | script cdn external_script download installer binary
  & integrity checksum hash verified verify signature pinned & $not without | curl & bash sh pipe | download & execute run & unverified
  unchecked verify checksum $not
vulnerable-dependency: cve cwe_1104 cwe_1395 | known_vulnerability known_vulnerable vulnerable cve advisory security_advisory
  security_update end_of_life eol unmaintained & version dependency package library release image module
untrusted-checkout: pull_request_target | fork forked untrusted & workflow pipeline ci action checkout runner secrets | workflow actions
  & inject expression title branch_name $input & shell run script interpolate | ci & secrets & fork
postmessage-origin: postmessage | message_event message_listener & origin
tabnabbing: noopener noreferrer tabnabbing target_blank cwe_1022
debug-enabled: debug_mode debug_true debug_endpoint debug_toolbar pprof actuator cwe_489 | debug & production enabled left on exposed
  release live deployed | debug & disable off
replay: cwe_294 | replay replayed replay_attack & request token webhook message nonce timestamp attack signature code | nonce & check
  reuse once unchecked $not
unsafe-reflection: cwe_470 | reflection class_name class_for_name getattr dynamic_import dynamic_require & $input arbitrary
decompression-bomb: zip_bomb decompression_bomb cwe_409 | decompress inflate gunzip unzip archive extract compressed & limit bomb size
  huge unbounded expand ratio unlimited
host-header: host_header x_forwarded forwarded_for x_forwarded_for remote_address client_ip & trust spoof poison fake $input forge client
  believe set
cache-poisoning: cache_poison cache_poisoning web_cache_deception | cache & private shared_cache public_cache cdn proxy & personal
  private authenticated user_specific per_user other_user other_users sensitive
buffer-overflow: buffer_overflow buffer_overrun heap_overflow stack_overflow_write overrun cwe_120 cwe_121 cwe_122 cwe_787 cwe_119
  cwe_125 strcpy strcat sprintf memcpy | write writes read reads copy & past beyond & buffer array end | buffer & too_small too_short
  overflow bounds length_check larger unchecked size
use-after-free: use_after_free dangling cwe_416 | freed free released disposed closed destroyed & used use access dereference touch read
  & after already still later
double-free: double_free cwe_415 | freed free released closed disposed & twice again second_time double already
uninitialized-memory: uninitialized uninitialised cwe_457 cwe_908 | before & initialized assigned set_up initialization & use used read
  access | initialize & $not never & variable field member memory
format-string: format_string cwe_134 | printf & $input user_controlled
public-exposure: 0_0_0_0 any_ip publicly_accessible publicly_readable | public & bucket s3 storage blob snapshot subnet database port
  dashboard internet load_balancer & expose access read open accessible | open exposed reachable & internet world public_internet everyone
  whole_internet | security_group firewall ingress inbound & open any wide all world public 0
audit-log: audit_log audit_trail cwe_778 | audit & $not record entry trace log | who & did changed deleted approved & record recorded log
  logged trace trail unknown $not
password-policy: password_policy cwe_521 | weak short trivial simple & password passwords & allow accept minimum length policy | password
  & minimum_length strength complexity length
autoescape: autoescape mark_safe | escape_hatch & html
certificate-pinning: pin pins pinned pinning certificate_pin & backup certificate renewed rotated rotation leaf key app | certificate &
  renewed rotates rotated expires & app apps client clients & locked lose loses break
`;

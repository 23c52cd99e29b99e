/** Ruby. */
import { dots, hashes, words, type Language } from './language.ts';

const query = `
(method name: (_) @name) @method
(singleton_method name: (_) @name) @method
(class name: (_) @name) @class
(module name: (_) @name) @module
(assignment left: (constant) @name) @constant
(assignment left: (instance_variable) @name) @field
(operator_assignment left: (instance_variable) @name) @field
(call method: (identifier) @attribute-word arguments: (argument_list (simple_symbol) @name)) @field
(alias name: (identifier) @name) @method
(call method: (identifier) @test-word arguments: (argument_list . (string) @name) block: (_)) @test
(call method: (identifier) @require-word arguments: (argument_list . (string) @specifier)) @import
(call method: (identifier) @require-word arguments: (argument_list (simple_symbol) . (string) @specifier)) @import
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
`;

export const ruby = {
  files: /\.(?:rb|rake)$|(?:^|\/)Rakefile$/i,
  grammars: { ruby: { endings: ['rb', 'rake'], query } },
  comments: hashes,
  vocabulary: {
    keywords: words(
      'BEGIN END __ENCODING__ __FILE__ __LINE__ __dir__ __method__ alias and begin break case class def ' +
        'defined do else elsif end ensure false for if in module next nil not or redo rescue retry return ' +
        'self super then true undef unless until when while yield',
    ),
    globals:
      words(`ArgumentError Array BasicObject Binding Class Comparable Complex Dir ENV EOFError Encoding Enumerable
        Enumerator Errno Exception FalseClass Fiber File FileUtils Float FloatDomainError GC Hash IO IOError
        IndexError Integer Interrupt Kernel KeyError LoadError LocalJumpError Marshal MatchData Math Method Module
        Mutex NameError NilClass NoMethodError NotImplementedError Numeric Object ObjectSpace Proc Process Queue
        Random Range RangeError Rational Regexp RegexpError RuntimeError ScriptError SecurityError Set Signal
        StandardError StopIteration String Struct Symbol SyntaxError SystemCallError SystemExit Thread Time TrueClass
        TypeError UncaughtThrowError ZeroDivisionError abort at_exit attr_accessor attr_reader attr_writer binding
        block_given? caller catch exit extend fail format freeze gets include instance_variable_get
        instance_variable_set lambda loop module_function open p prepend print printf private private_constant proc
        protected public puts raise rand require require_relative sleep sprintf srand system throw warn describe
        context it let before after expect subject`),
    members: words(
      'add all any call chomp class clear collect compact concat count delete detect dup each ' +
        'each_with_index each_with_object empty encode entries fetch find find_all first flatten flat_map ' +
        'freeze gsub has_key hash include index inject insert inspect instance_of is_a join key keys last ' +
        'length map max merge message method min name new nil none now pop push read reject replace ' +
        'respond_to reverse select send shift size slice sort sort_by split start_with strip sub sum tap ' +
        'tap to_a to_h to_i to_s to_sym transform_values uniq update upcase value values write zip',
    ),
    access: dots,
    parameters: 'name-first',
    reach: 'project',
    namesFields: 'colon',
    hasSymbols: true,
  },
} as const satisfies Language;

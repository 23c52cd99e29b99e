/** Ruby. A test case is a call with a title and a block. */

export const ruby = `
(method name: (_) @name) @method
(singleton_method name: (_) @name) @method
(class name: (_) @name) @class
(module name: (_) @name) @module
(assignment left: (constant) @name) @constant
(call method: (identifier) @test-word arguments: (argument_list . (string) @name) block: (_)) @test
(call method: (identifier) @require-word arguments: (argument_list . (string) @specifier)) @import
(call method: (identifier) @call)
(identifier) @use (constant) @use
`;

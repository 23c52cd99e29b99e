/** Ways of values in C and C++: arguments of the program, its environment, and what it reads. */
import type { FlowTable } from './table.ts';

export const cFlow: FlowTable = {
  language: 'c',
  grammars: ['c', 'cpp'],
  sources: [
    { of: 'parameter', text: /\*\s*argv\b/, only: ['shell'] },
    { of: 'call', text: /^(?:std::)?(?:secure_)?getenv$/, only: ['shell'] },
  ],
  sinks: [{ of: 'call', kind: 'shell', name: /^(?:std::)?(?:system|popen|_popen)$/ }],
  carriers: /^(?:std::string|strdup|strcat|std::to_string)$/,
  cleaners: [
    { name: /^(?:atoi|atol|strtol|strlen|strcmp|strtoul|sizeof|shell_quote|escape_shell)$/ },
  ],
};

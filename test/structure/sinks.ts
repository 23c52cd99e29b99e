/**
 * Finds what prints by other means than the encoder of its sink: `src/core/safety/` for people and pages, `src/render/figures.ts`
 * for programs.
 */
import { eachSource } from '../layers.ts';

export interface Bypass {
  readonly file: string;
  readonly what: string;
}

interface Rule {
  readonly what: string;
  readonly pattern: RegExp;
  /** Files below `src` that are looked at. */
  readonly where: RegExp;
  /** Those that may: the encoder itself, and what prints nothing. */
  readonly except: RegExp;
}

const rules: readonly Rule[] = [
  {
    what: 'JSON for a program that is not escaped by printJson or escapeHidden',
    pattern: /(?<!escapeHidden\()JSON\.stringify\(/,
    where: /^(?:cli|render)\//,
    // The cache of compiled code is read by nobody else.
    except: /^(?:render\/json|cli\/launch)\.ts$/,
  },
  {
    // Parsers and analysers read them.
    what: 'an encoding of HTML',
    pattern: /&(?:lt|gt|amp|quot|#39|#124);/,
    where: /./,
    except: /^(?:core\/safety\/visible-text|answers\/.*|core\/languages\/.*|adapters\/.*)\.ts$/,
  },
  {
    what: 'an encoding of Markdown',
    pattern: /'`'\.repeat\(|(?:replace|replaceAll)\([^;\n]*'\\\\[|<[\]!:_*]/,
    where: /^(?:core\/run-files|render|cli|mcp)\//,
    // One reads pages of ours, the other quotes words of ours for a shell.
    except: /^(?:core\/safety\/.*|render\/(?:documentation|completion\/zsh)\.ts)/,
  },
  {
    what: 'a stream that is written to directly',
    pattern: /process\.(?:stdout|stderr)\.write\(/,
    where: /./,
    except: /^(?:cli\/(?:main|multi-consensus)|mcp\/reviewer-tools)\.ts$/,
  },
  {
    what: 'an error that is printed unencoded',
    pattern: /process\.stderr\.write\([^)]*(?:message|detail)/,
    where: /^cli\//,
    except: /^$/,
  },
];

export function findBypasses(source: string): Bypass[] {
  return eachSource(source, bypassesIn);
}

export function bypassesIn(file: string, text: string): Bypass[] {
  return rules
    .filter(
      ({ where, except, pattern }) => where.test(file) && !except.test(file) && pattern.test(text),
    )
    .map(({ what }) => ({ file, what }));
}

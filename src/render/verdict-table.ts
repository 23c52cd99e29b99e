/** Verdict files as lines for scripts: tabs between fields, one record a line, whatever the files hold. */
import { printJson } from './json.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import {
  countStatuses,
  needsAttention,
  sumTokens,
  type VerdictRow,
} from '../core/run-files/verdict-file.ts';

interface VerdictListing {
  readonly dir: string;
  readonly rows: readonly VerdictRow[];
  /** Agents whose detail file does not exist. */
  readonly lost: ReadonlySet<string>;
}

export interface Printed {
  /** For standard output; empty when there is nothing to print. */
  readonly text: string;
  /** For standard error, one sentence each. */
  readonly warnings: readonly string[];
}

export const verdictViews = ['table', 'counts', 'attention', 'tokens', 'json'] as const;

export const renderVerdicts: Readonly<
  Record<(typeof verdictViews)[number], (listing: VerdictListing) => Printed>
> = {
  table: ({ rows }) => ({
    text: rows.map(({ status, agent, summary }) => lineOf([status, agent, summary])).join(''),
    warnings: [],
  }),
  counts: ({ rows }) => ({
    text: `${[...countStatuses(rows)].map(([status, count]) => `${count} ${status}`).join(', ') || '0 verdicts'}\n`,
    warnings: [],
  }),
  attention: listing => ({
    text: listing.rows.filter(needsAttention).map(toAttentionLine).join(''),
    warnings: detailWarnings(listing),
  }),
  tokens: ({ rows }) => ({ text: `${sumTokens(rows)}\n`, warnings: tokenWarnings(rows) }),
  json: listing => ({ text: printJson(toJson(listing)), warnings: [] }),
};

function toAttentionLine({ agent, findingsCount, detailPath }: VerdictRow) {
  return lineOf([agent, findingsCount === null ? '-' : String(findingsCount), detailPath ?? '-']);
}

function lineOf(fields: readonly string[]) {
  return `${fields.map(escapeField).join('\t')}\n`;
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

function escapeField(text: string) {
  return makeVisible(text.replace(/[\\\t\n\r]/g, character => escapes[character] ?? character));
}

function detailWarnings({ rows, lost }: VerdictListing) {
  return rows
    .filter(row => needsAttention(row) && lost.has(row.agent))
    .map(({ agent, detailPath }) =>
      detailPath === null
        ? `${escapeField(agent)} names no detail file.`
        : `${escapeField(agent)}: the detail file does not exist: ${escapeField(detailPath)}`,
    );
}

function tokenWarnings(rows: readonly VerdictRow[]) {
  return rows
    .filter(({ tokensWarning }) => tokensWarning !== null)
    .map(({ agent, tokensWarning }) => `${escapeField(agent)}: ${tokensWarning ?? ''}.`);
}

function toJson(listing: VerdictListing) {
  const { dir, rows } = listing;
  return {
    dir,
    verdicts: rows.map(({ verdict }) => verdict).filter(verdict => verdict !== null),
    counts: Object.fromEntries(countStatuses(rows)),
    attention: rows.filter(needsAttention).map(({ agent, status, findingsCount, detailPath }) => ({
      agent,
      status,
      findings_count: findingsCount,
      detail_path: detailPath,
    })),
    tokens_total: Number(sumTokens(rows)),
    malformed: rows
      .filter(({ verdict }) => verdict === null)
      .map(({ detailPath, summary }) => ({ file: detailPath, error: summary })),
    warnings: [...detailWarnings(listing), ...tokenWarnings(rows)],
  };
}

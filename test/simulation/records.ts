/** What the journals of a machine hold, read without the product's own reader. */
import type { Machine } from './machine.ts';

export interface JournalRecord {
  readonly run: string;
  readonly key: string;
  readonly value: unknown;
}

/** In the order in which the journals were begun: the names of two runs of one second tell none. */
export function recordsOn(machine: Machine): JournalRecord[] {
  return [...machine.disk().files('journal.jsonl')]
    .filter(([path]) => !path.includes('/quarantine/'))
    .flatMap(([path, text]) =>
      text.split('\n').flatMap(line => {
        const body = recordIn(line);
        return body === null ? [] : [{ run: path.split('/').at(-2) ?? '', ...body }];
      }),
    );
}

/** Each is looked at after every question and every review. */
let parsed = new Map<string, ReturnType<typeof parseRecord>>();

function recordIn(line: string) {
  const known = parsed.get(line);
  if (known !== undefined) return known;
  if (parsed.size > 5_000) parsed = new Map();
  const record = parseRecord(line);
  parsed.set(line, record);
  return record;
}

function parseRecord(line: string) {
  const start = line.indexOf(' ["');
  if (start === -1) return null;
  try {
    const [key, value] = JSON.parse(line.slice(start)) as [string, unknown];
    return { key, value };
  } catch {
    return null;
  }
}

export interface RecordedCall extends JournalRecord {
  readonly reviewer: string;
  readonly round: number;
  readonly attempt: number;
  readonly count: number;
}

/** Answers of a reviewer that were kept. */
export function callsOf(reviewer: string, records: readonly JournalRecord[]): RecordedCall[] {
  return records.flatMap(record => {
    const [, id = '', round, attempt, count] =
      /^(r\d+)\/(\d+)\/call\/(\d+)\/(\d+)$/.exec(record.key) ?? [];
    return id === reviewer
      ? [
          {
            ...record,
            reviewer,
            round: Number(round),
            attempt: Number(attempt),
            count: Number(count),
          },
        ]
      : [];
  });
}

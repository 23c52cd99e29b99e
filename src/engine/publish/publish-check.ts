/**
 * The check of a commit: its conclusion is made of the outcome, its annotations are sent in portions and counted, so that none comes
 * twice.
 */
import type { CheckDraft, Conclusion } from '../../core/ports/code-host.ts';
import { bytesOf } from '../../core/text.ts';
import {
  longestComment,
  mostCheckBytes,
  type PublicationTexts,
  type SummaryView,
} from '../../core/publish/texts.ts';
import type { Outcome } from '../../core/verdict/record.ts';
import { createOnce, type Deeds, type PublishRequest, type Seen, viewOf } from './deeds.ts';

const checkName = 'Jury';

/** A reader sees no more; each portion is a call. */
const mostAnnotations = 100;

/** Only a pass is one: what is incomplete asks for somebody, and keeps a required check from being met. */
const conclusions: Readonly<Record<Outcome, Conclusion>> = {
  PASS: 'success',
  FAIL: 'failure',
  INCOMPLETE: 'action_required',
};

/** A run that was published has its check; the same run after a decision gets a new one, which stands in place of the old. */
export async function publishCheck(
  request: PublishRequest,
  seen: Seen,
  posted: ReadonlySet<string>,
  deeds: Deeds,
): Promise<void> {
  const { host, texts, checked, hash } = request;
  const { record } = seen.settled;
  const { head, pull } = checked.handover;
  const conclusion = conclusions[record.outcome ?? 'INCOMPLETE'];
  const all = texts.annotations(record);
  const annotations = all.slice(0, mostAnnotations);
  const draft: CheckDraft = {
    name: checkName,
    head,
    key: `jury/${pull}/${record.run}/${hash(JSON.stringify([conclusion, annotations])).slice(0, 16)}`,
    conclusion,
    title: texts.title(record),
    summary: summaryOf(
      viewOf(request, seen, posted, [
        ...deeds.troubles,
        ...(all.length > annotations.length
          ? [`${all.length - annotations.length} more annotations are left out.`]
          : []),
      ]),
      texts,
    ),
  };
  const find = async (): Promise<{ id: number; annotations: number } | null> =>
    (await host.listChecks(head, checkName)).find(({ key }) => key === draft.key) ?? null;
  const newest = (await host.listChecks(head, checkName)).at(-1);
  let check: { id: number; annotations: number } | null = newest?.key === draft.key ? newest : null;
  const first = annotations.slice(0, host.mostAnnotations);
  if (check === null) {
    check = await createOnce(
      async () => ({ id: await host.createCheck(draft, first), annotations: first.length }),
      find,
    );
    deeds.posted += 1;
  } else if (check.annotations >= annotations.length) return;
  for (let done = check.annotations; done < annotations.length; done += host.mostAnnotations)
    await host.updateCheck(check.id, draft, annotations.slice(done, done + host.mostAnnotations));
}

/** A character takes three bytes at most, so that the last one fits. */
function summaryOf(view: SummaryView, { summary }: Pick<PublicationTexts, 'summary'>): string {
  for (const longest of [longestComment, mostCheckBytes / 2]) {
    const text = summary(view, longest);
    if (bytesOf(text) <= mostCheckBytes) return text;
  }
  return summary(view, mostCheckBytes / 3);
}

/** What every implementation of the `CodeHost` port keeps. */
import { beforeEach, expect, it } from 'vitest';
import type { CodeHost, InlineComment } from '../../src/core/ports/repository.ts';

type CheckDraft = Parameters<CodeHost['createCheck']>[0];

export interface HostSpecimen {
  readonly host: CodeHost;
  /** Full id of the head; `a.ts` has lines 1 to 9 in its diff, `b.ts` was renamed and has none. */
  readonly head: string;
  /** A person answers below the first comment of a thread. */
  reply(author: string, body: string): void;
  /** Logins. */
  readonly writer: string;
  readonly reader: string;
}

const note = (line: number) =>
  ({
    path: 'a.ts',
    line,
    endLine: line,
    level: 'failure',
    title: 'title',
    message: 'message',
  }) as const;

const at = (line: number, endLine = line): InlineComment => ({
  path: 'a.ts',
  side: 'new',
  line,
  endLine,
  body: `about ${line}`,
});

export function describeCodeHost(create: () => Promise<HostSpecimen>): void {
  let specimen: HostSpecimen;
  let host: CodeHost;
  beforeEach(async () => {
    specimen = await create();
    ({ host } = specimen);
  });

  const draft = (parts: Partial<CheckDraft> = {}): CheckDraft => ({
    name: 'Jury',
    head: specimen.head,
    key: 'one',
    conclusion: 'failure',
    title: 'a title',
    summary: 'a summary',
    annotations: [],
    ...parts,
  });

  it('tells the head, the base and the files with the lines that may be spoken about', async () => {
    expect(await host.readPull()).toMatchObject({ isOpen: true, head: specimen.head });
    const files = await host.listFiles();
    expect(files.find(({ path }) => path === 'a.ts')?.hunks).toMatchObject([
      { newStart: 1, newLines: 9 },
    ]);
    expect(files.find(({ path }) => path === 'b.ts')).toMatchObject({
      status: 'renamed',
      oldPath: 'old.ts',
      hunks: [],
    });
  });

  it('tells texts of a commit, and nothing of what is not there', async () => {
    const texts = await host.readTexts(specimen.head, ['a.ts', 'none.ts']);
    expect([...texts.keys()]).toEqual(['a.ts']);
  });

  it('makes checks with annotations and tells their keys, the latest first', async () => {
    expect(await host.checkKeys(specimen.head, 'Jury')).toEqual([]);
    await host.createCheck(draft({ annotations: [note(1), note(2)] }));
    await host.createCheck(draft({ key: 'two' }));
    expect(await host.checkKeys(specimen.head, 'Jury')).toEqual(['two', 'one']);
    expect(await host.checkKeys(specimen.head, 'other')).toEqual([]);
    const annotations = Array.from({ length: 51 }, (_, index) => note(index + 1));
    await expect(host.createCheck(draft({ key: 'three', annotations }))).rejects.toMatchObject({
      code: 'refused',
    });
  });

  it('writes a comment in place, and knows it for its own', async () => {
    await host.createComment('one');
    const [first] = (await host.readConversation()).comments;
    if (first === undefined) throw new Error('no comment');
    await host.updateComment(first, 'two');
    const { comments } = await host.readConversation();
    expect(comments).toMatchObject([{ id: first.id, body: 'two', isOwn: true }]);
    await host.deleteComment(first);
    await host.deleteComment(first);
    expect((await host.readConversation()).comments).toEqual([]);
  });

  it('opens threads at lines, all or none', async () => {
    await expect(host.createInline(specimen.head, [at(1), at(10)])).rejects.toMatchObject({
      code: 'refused',
      mayBeDone: false,
    });
    expect((await host.readConversation()).threads).toEqual([]);
    await host.createInline(specimen.head, [at(1), at(2, 4)]);
    const { threads } = await host.readConversation();
    expect(threads).toMatchObject([
      { isResolved: false, comments: [{ body: 'about 1', isOwn: true }] },
      { isResolved: false, comments: [{ body: 'about 2', isOwn: true }] },
    ]);
  });

  it('resolves a thread, opens it again, and tells whose a reply is', async () => {
    await host.createInline(specimen.head, [at(1)]);
    specimen.reply(specimen.writer, 'an answer');
    const [thread] = (await host.readConversation()).threads;
    await host.setResolved(thread?.id ?? '', true);
    const [resolved] = (await host.readConversation()).threads;
    expect(resolved).toMatchObject({
      isResolved: true,
      comments: [{}, { author: specimen.writer, isOwn: false, body: 'an answer' }],
    });
    await host.setResolved(thread?.id ?? '', false);
    if (thread?.comments[0]) await host.updateComment(thread.comments[0], 'other words');
    const [opened] = (await host.readConversation()).threads;
    expect(opened).toMatchObject({ isResolved: false, comments: [{ body: 'other words' }, {}] });
  });

  it('knows who may write, and that a stranger may not', async () => {
    expect(await host.mayWrite(specimen.writer)).toBe(true);
    expect(await host.mayWrite(specimen.reader)).toBe(false);
    expect(await host.mayWrite('nobody/../admin')).toBe(false);
  });

  it('counts its requests', async () => {
    await host.readPull();
    await host.readPull();
    expect(host.calls()).toBe(2);
  });
}

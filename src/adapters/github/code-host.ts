/**
 * GitHub as a host of code: REST where there is a way, GraphQL for what only it tells (whose a comment is, threads, many files at
 * once).
 */
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { CodeHostError, type CodeHost } from '../../core/ports/code-host.ts';
import {
  checkBody,
  HostedCheck,
  HostedFile,
  HostedPull,
  sides,
  toPullFile,
} from './host-answers.ts';
import { HostedTexts, resolveMutation, textsQuery } from './host-queries.ts';
import { openWire, type WireSettings } from './host-wire.ts';
import { readConversation } from './read-conversation.ts';

export interface GithubSettings extends WireSettings {
  /** `OWNER/NAME`, checked. */
  readonly repository: string;
  readonly pull: number;
}

const filesAtOnce = 40;

const Created = z.object({ id: z.int() });
const Anything = z.unknown();

export function createGithub({ repository, pull, ...settings }: GithubSettings): CodeHost {
  const wire = openWire(settings);
  const [owner = '', name = ''] = repository.split('/');
  const top = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  const where = { owner, name, number: pull };

  return {
    mostAnnotations: 50,
    calls: () => wire.calls(),

    async readPull() {
      const { state, head, base } = await wire.send({
        method: 'GET',
        path: `${top}/pulls/${pull}`,
        answer: HostedPull,
      });
      return { state, branch: base.ref, head: head.sha, base: base.sha };
    },

    async listFiles() {
      const path = `${top}/pulls/${pull}/files`;
      const files = await wire.sendPages(
        { method: 'GET', path, answer: z.array(HostedFile) },
        page => page,
      );
      return files.map(toPullFile);
    },

    async readTexts(commit, paths) {
      const texts = new Map<string, string>();
      for (let start = 0; start < paths.length; start += filesAtOnce) {
        const some = paths.slice(start, start + filesAtOnce);
        const { query, variables } = textsQuery(where, commit, some);
        const { repository: found } = await wire.graphql(query, variables, HostedTexts);
        for (const [index, path] of some.entries()) {
          const blob = found?.[`f${index}`];
          if (typeof blob?.text === 'string' && blob.isTruncated !== true)
            texts.set(path, blob.text);
        }
      }
      return texts;
    },

    readConversation: () => readConversation(wire, where),

    async mayWrite(login) {
      const path = `${top}/collaborators/${encodeURIComponent(login)}/permission`;
      try {
        const { permission } = await wire.send({
          method: 'GET',
          path,
          answer: z.object({ permission: z.string() }),
        });
        return permission === 'admin' || permission === 'write';
      } catch (error) {
        if (error instanceof CodeHostError && error.code === 'missing') return false;
        throw error;
      }
    },

    async listChecks(head, checkName) {
      const path = `${top}/commits/${head}/check-runs?check_name=${encodeURIComponent(checkName)}&filter=all`;
      const checks = await wire.sendPages(
        { method: 'GET', path, answer: z.object({ check_runs: z.array(HostedCheck) }) },
        page => page.check_runs,
      );
      return checks
        .map(({ id, external_id: key, status, output }) => ({
          id,
          key: key ?? '',
          isCompleted: status === 'completed',
          annotations: output?.annotations_count ?? 0,
        }))
        .sort((one, other) => one.id - other.id);
    },

    async createCheck(draft, annotations) {
      const body = checkBody(draft, annotations);
      return (await wire.send({ method: 'POST', path: `${top}/check-runs`, body, answer: Created }))
        .id;
    },

    async updateCheck(id, draft, annotations) {
      // Annotations of a second attempt would stand there twice.
      const isRepeatable = annotations.length === 0;
      const body = checkBody(draft, annotations);
      await wire.send({
        method: 'PATCH',
        path: `${top}/check-runs/${id}`,
        body,
        answer: Anything,
        isRepeatable,
      });
    },

    async createComment(body) {
      const path = `${top}/issues/${pull}/comments`;
      return (await wire.send({ method: 'POST', path, body: { body }, answer: Created })).id;
    },

    async updateComment(id, body) {
      await wire.send({
        method: 'PATCH',
        path: `${top}/issues/comments/${id}`,
        body: { body },
        answer: Anything,
      });
    },

    deleteComment: id => remove(`${top}/issues/comments/${id}`),

    async createInline(head, comments) {
      const body = {
        commit_id: head,
        event: 'COMMENT',
        body: '',
        comments: comments.map(({ path, side, line, endLine, body: text }) => ({
          path,
          side: sides[side],
          line: endLine,
          ...(endLine > line ? { start_line: line, start_side: sides[side] } : {}),
          body: text,
        })),
      };
      await wire.send({
        method: 'POST',
        path: `${top}/pulls/${pull}/reviews`,
        body,
        answer: Anything,
      });
    },

    async updateInline(id, body) {
      await wire.send({
        method: 'PATCH',
        path: `${top}/pulls/comments/${id}`,
        body: { body },
        answer: Anything,
      });
    },

    deleteInline: id => remove(`${top}/pulls/comments/${id}`),

    async setResolved(thread, isResolved) {
      await wire.graphql(resolveMutation(isResolved), { thread }, Anything);
    },

    async uploadSarif(head, sarif) {
      const body = {
        commit_sha: head,
        ref: `refs/pull/${pull}/head`,
        sarif: gzipSync(sarif).toString('base64'),
      };
      // The same file for the same commit takes the place of the one before.
      await wire.send({
        method: 'POST',
        path: `${top}/code-scanning/sarifs`,
        body,
        answer: Anything,
        isRepeatable: true,
      });
    },
  };

  async function remove(path: string): Promise<void> {
    try {
      await wire.send({ method: 'DELETE', path, answer: Anything });
    } catch (error) {
      if (!(error instanceof CodeHostError && error.code === 'missing')) throw error;
    }
  }
}

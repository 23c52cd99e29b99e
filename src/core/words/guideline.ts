/** How a configuration says what the team wants reviewers to know: a text, or a file of the project, for the files that globs name. */
import { z } from 'zod';
import { bytesOf } from '../text.ts';
import { NullableText, Text, Texts, optional } from './fields.ts';

// How a configuration says which files may go to whom.

/** A rule that can never apply would read like protection. */
const FilePattern = Text.min(1).refine(
  pattern => !/^(?:!|\/|\.{1,2}\/)|\\|\/$/.test(pattern),
  'must be a path or glob from the top of the repository, like "secrets/**" or "*.pem": no "!", ' +
    '"\\", "./" or "/" at its beginning and no "/" at its end',
);

export const ProviderName = Text.regex(
  /^[a-z0-9[][a-z0-9.:\]-]*$/,
  'must be a provider or host in small letters, like anthropic or models.example.org',
).refine(
  name => name !== 'never' && name !== 'local',
  'must be no provider called never or local: those words stand alone',
);

export const EgressRule = z.strictObject({
  files: z
    .array(FilePattern)
    .min(1)
    .describe(
      'Globs from the top of the repository; one without a slash names files in any folder, and a plain ' +
        'name of a folder all that is in it.',
    ),
  to: z
    .union([z.enum(['never', 'local']), z.array(ProviderName).min(1)])
    .describe(
      'never: to no reviewer at all. local: to reviewers from which nothing leaves this machine. A ' +
        'list: to those and to the providers or hosts it names.',
    ),
});
export type EgressRule = z.infer<typeof EgressRule>;

/** Bytes of one text, and of all of them: they stand in every prompt they concern. */
export const mostGuidelineBytes = 16 * 1_024;
export const mostBytesTogether = 64 * 1_024;
const mostGuidelines = 100;

const GuidelineText = Text.refine(text => text.trim() !== '', 'says nothing').refine(
  text => bytesOf(text) <= mostGuidelineBytes,
  `is longer than ${mostGuidelineBytes / 1_024} KiB: shorten it, or make several of it with paths of their own`,
);

/** Whatever it leads to: that it stays in the project is seen when it is read. */
const GuidelineFile = Text.min(1).refine(
  file => !/^(?:[/~\\]|[A-Za-z]:)|[\\\0]/.test(file),
  'must be a path relative to the configuration, with slashes, like docs/api-rules.md',
);

const GuidelineEntry = z
  .strictObject({
    paths: optional(
      z.array(FilePattern).min(1),
      'Globs from the top of the repository, as in egress; default: every file. It is told whoever is shown one of them.',
    ),
    reviewers: optional(
      z.array(Text.min(1)).min(1),
      'Ids of reviewers or names of personas; default: everybody who is asked.',
    ),
    text: optional(GuidelineText, 'What reviewers are told.'),
    file: optional(
      GuidelineFile,
      'File of the project that holds the text, relative to the configuration; read at the base of the change.',
    ),
  })
  .refine(
    ({ text, file }) => (text === undefined) !== (file === undefined),
    'needs either text or file, and not both',
  );

const GuidelineConfig = z.union([GuidelineText, GuidelineEntry], {
  error: 'must be a text, or an object with a text or a file, and paths and reviewers it is for',
});

export const Guidelines = z.array(GuidelineConfig).max(mostGuidelines);

/** One of them as a run keeps it, its file read. */
const Guideline = z.object({
  /** What people call it: its place in the list and its file, such as `guidelines[1] docs/api-rules.md`. */
  name: Text,
  /** Null: every file. */
  paths: Texts.nullable(),
  /** Null: everybody who is asked. */
  reviewers: Texts.nullable(),
  /** From the top of the repository, where it lies there; null where the text stands in the configuration. */
  file: NullableText,
  text: Text,
});
export type Guideline = z.infer<typeof Guideline>;

/** What a plan and a dry run say of the project's own words. */
export const ToldKnowledge = z.object({
  guidelines: z.array(
    Guideline.pick({ name: true, paths: true }).extend({
      /** Ids of the reviewers that are told it; empty: none of them is shown such a file, or may see where it stands. */
      reviewers: Texts,
    }),
  ),
  /** Decisions about earlier findings, which all are told. */
  learnt: Texts,
});

/** How a configuration says which files may go to whom. */
import { z } from 'zod';
import { Text } from './fields.ts';

/** A rule that can never apply would read like protection. */
export const FilePattern = Text.min(1).refine(
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

/** Members of an assembly, and how a list of them is read. */
import { z } from 'zod';
import { inputError } from '../errors.ts';
import { checkElements, wrongElement } from '../given-json.ts';
import { Text } from './fields.ts';

/** Name of the file in the folder of a session. */
export const rosterName = 'roster.json';

/** Unique are `name`, by which motions and stances name it, and `id`, as files may carry the name; `model` null: the configuration's. */
export type Member = Readonly<ReturnType<typeof readRoster>[number]>;

/** `Glasya-Labolas` is called `glasya_labolas` in file names. */
export function memberIdOf(name: string) {
  return name.toLowerCase().replaceAll('-', '_');
}

const nullable = Text.nullish().transform(given => given ?? null);

/** Names, or members with what is known about them. */
const Entry = z.union(
  [
    Text.transform(name => ({ name })),
    z.object({
      name: Text,
      role: nullable,
      backstory: nullable,
      model: nullable,
      base_url: z.url({ protocol: /^https?$/ }).nullish(),
    }),
  ],
  'must be a name, or an object with a name',
);

const unknownMember = { role: null, backstory: null, model: null, base_url: null };

/** A packet file is called like its member: nothing that leads elsewhere, hides, or is too long for a disk. */
const unusable = /[/\\:*?"<>|]|^\.|[. ]$|\p{C}|\p{Zl}|\p{Zp}/u;

const longestId = 60;

/** Throws `UserError` (kind `input`) naming `file` and the element. */
export function readRoster(value: unknown, file: string) {
  const members = checkElements(file, value, Entry).map(entry => {
    const { base_url: baseUrl = null, ...known } = { ...unknownMember, ...entry };
    return { ...known, id: memberIdOf(known.name), baseUrl };
  });
  if (members.length === 0)
    throw inputError(
      `Error: ${file}: the roster is empty`,
      'Name at least one member, or take the file away for the roster that ships with Jury.',
    );
  const seen = new Map<string, number>();
  members.forEach(({ name, id }, index) => {
    if (name.trim() === '') throw wrongElement(file, index, 'the name is empty');
    if (unusable.test(id) || id.length > longestId)
      throw wrongElement(file, index, `"${name}" cannot name a file`);
    const earlier = seen.get(id.normalize('NFC'));
    if (earlier !== undefined) {
      const first = members[earlier]?.name ?? '';
      const alike = first === name ? '' : ` ("${first}": names that make one id are one member)`;
      const hint = 'Name every member once.';
      throw wrongElement(file, index, `"${name}" is element ${earlier} already${alike}`, hint);
    }
    seen.set(id.normalize('NFC'), index);
  });
  return members;
}

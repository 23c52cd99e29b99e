/** Reads a roster: names, or members with what is known about them. */
import { z } from 'zod';
import { UserError } from '../errors.ts';
import { memberIdOf, type Member } from './motion.ts';
import { checkElements, wrongElement } from './session-json.ts';

const Entry = z.union([
  z.string(),
  z.object({
    name: z.string(),
    role: z.string().nullish(),
    backstory: z.string().nullish(),
    model: z.string().nullish(),
    base_url: z.url({ protocol: /^https?$/ }).nullish(),
  }),
], 'must be a name, or an object with a name');

/** A packet file is called like its member: nothing that leads elsewhere, hides, or is too long for a disk. */
const unusable = /[/\\:*?"<>|]|^\.|[. ]$|\p{C}|\p{Zl}|\p{Zp}/u;
const longestId = 60;

/** Throws `UserError` (kind `input`) naming `file` and the element. */
export function readRoster(value: unknown, file: string): Member[] {
  const members = checkElements(file, value, Entry).map((entry): Member => {
    const { name, role = null, backstory = null, model = null, base_url = null } = typeof entry === 'string' ? { name: entry } : entry;
    return { name, id: memberIdOf(name), role, backstory, model, baseUrl: base_url };
  });
  if (members.length === 0) throw new UserError(`Error: ${file}: the roster is empty`, { kind: 'input' });
  const seen = new Map<string, number>();
  members.forEach(({ name, id }, index) => {
    if (name.trim() === '') throw wrongElement(file, index, 'the name is empty');
    if (unusable.test(id) || id.length > longestId) throw wrongElement(file, index, `"${name}" cannot name a file`);
    const earlier = seen.get(id.normalize('NFC'));
    if (earlier !== undefined) throw wrongElement(file, index, `"${name}" is element ${earlier} already`);
    seen.set(id.normalize('NFC'), index);
  });
  return members;
}

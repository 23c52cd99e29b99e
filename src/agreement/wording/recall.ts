/**
 * Remembers what was made of the texts met last. The same few thousand words make up most remarks, and words that are made
 * up without end must not take room without end.
 */

/**
 * `make` must not depend on anything but the text. Up to `most` results are kept, and the `most` before them, so that what
 * is met often survives; longer texts than `longest` (UTF-16 units) are made anew each time.
 */
export function createRecall<Made>(
  make: (text: string) => Made,
  { most, longest }: { readonly most: number; readonly longest: number },
): (text: string) => Made {
  let recent = new Map<string, Made>();
  let former = new Map<string, Made>();
  return text => {
    const known = recent.get(text);
    if (known !== undefined) return known;
    const made = former.get(text) ?? make(text);
    if (text.length > longest) return made;
    if (recent.size >= most) {
      former = recent;
      recent = new Map();
    }
    recent.set(text, made);
    return made;
  };
}

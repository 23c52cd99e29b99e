/** What two builds may print in other bytes and mean the same: order of keys, names made of places, of chance and of hashes, and how long waits were. */

/** `places`: what stands in place of which path. */
export function canonicalForm(places) {
  const runs = [];
  const nameOf = run => {
    if (!runs.includes(run)) runs.push(run);
    return `<run ${runs.indexOf(run) + 1}>`;
  };
  const mask = text =>
    Object.entries(places)
      .reduce((masked, [place, name]) => masked.replaceAll(place, name), text)
      .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>')
      .replaceAll(/\d{8}T\d{6}Z-[0-9a-f]{6}/g, nameOf)
      // Waits of calls beside each other are one or two, as they come.
      .replaceAll(/(?<=\dT\d\d:\d\d:)\d\d\.\d{3}Z/g, '<s>Z')
      .replaceAll(/(?<="\w*duration\w*": )\d+/gi, '<waited>')
      .replaceAll(/\b[0-9a-f]{64}\b/g, '<hash>')
      .replaceAll(/\b[0-9a-f]{32}\b/g, '<hex>');
  return {
    mask,
    /** In no order, since who ends first is said first, and without the lines that say from time to time how far a run is. */
    progress: text =>
      mask(text.replaceAll(/^\[\d+\/\d+ agents complete\](?: waiting for .*)?\n/gm, ''))
        .replaceAll(/^\[\d+(?=\/\d+ agents)/gm, '[·')
        .split('\n')
        .sort()
        .join('\n'),
    /** What happens beside each other is noted in no order. */
    text(name, text) {
      if (name.endsWith('.jsonl'))
        return mask(
          text
            .split('\n')
            .map(line => sortedJson(line, 0) ?? line)
            .sort()
            .join('\n'),
        );
      return mask((/\.(?:json|sarif)$/.test(name) ? sortedJson(text) : null) ?? text);
    },
  };
}

/** Null where it is none. */
export function sortedJson(text, indentation = 1) {
  try {
    return JSON.stringify(JSON.parse(text), sortKeys, indentation);
  } catch {
    return null;
  }
}

function sortKeys(_, value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
}

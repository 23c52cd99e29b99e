/** Of what is named those that are there: what does not hold is false, what is not known null or undefined. */
export function present<Item>(...items: readonly (Item | false | null | undefined)[]): Item[] {
  return items.filter(item => item !== false && item !== null && item !== undefined) as Item[];
}

/** What the category of a finding says about safety. Who stated it is another matter. */

export function isSecretCategory(category: string | null): boolean {
  return /^secrets?$/i.test((category ?? '').trim());
}

/** Categories in which a built-in analyser states what can be attacked. */
export function isSecurityCategory(category: string | null): boolean {
  return isSecretCategory(category) || (category ?? '').trim().toLowerCase() === 'security';
}

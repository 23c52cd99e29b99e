// A finding as Jury reads it from a reviewer, with no more than its words and what the data says of it.
import { severityOf, unstatedSeverity } from '../../dist/core/words/finding.js';

/** @typedef {import('../../dist/index.js').Finding} Finding */

/**
 * The number `index` (from 0) of what a reviewer said. `stated`: what else is known of it, such as severity and place.
 * @param {string} reviewer
 * @param {number} index
 * @param {string} text
 * @param {Partial<Finding>} stated
 * @returns {Finding}
 */
export function makeFinding(reviewer, index, text, stated = {}) {
  const originalId = `#${index + 1}`;
  return {
    id: `${reviewer}/${originalId}`,
    reviewer,
    originalId,
    label: '',
    severity: 'medium',
    text,
    section: null,
    category: null,
    evidence: null,
    recommendation: null,
    raw: text,
    notes: [],
    isImprovement: false,
    location: null,
    ...stated,
  };
}

/**
 * A line of a file on its new side; `line` null: the file as a whole.
 * @param {string} path
 * @param {number | null} line
 * @returns {import('../../dist/index.js').Location}
 */
export function placeAt(path, line) {
  return { path, line, endLine: null, side: 'new', anchoring: 'exact', checked: false, note: null };
}

/**
 * A remark as labelled data and hand-written pairs have it; whatever it does not state is left out or null.
 * @typedef {{ readonly text: string, readonly severity?: string | null, readonly path?: string | null,
 *   readonly line?: number | null }} Remark
 */

/**
 * The number `index` (from 0) of what a reviewer said.
 * @param {string} reviewer
 * @param {number} index
 * @param {Remark} remark
 */
export function readRemark(reviewer, index, { text, severity, path, line }) {
  return makeFinding(reviewer, index, text, {
    label: severity ?? '',
    severity: severityOf(severity ?? '') ?? unstatedSeverity,
    location: path ? placeAt(path, line ?? null) : null,
  });
}

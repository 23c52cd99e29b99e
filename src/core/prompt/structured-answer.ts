/**
 * Answers by a schema, from runners that take one: what the schema asks for, and the text that such an answer is read and kept as.
 * The prose is the answer in text; the findings say it once more, so that nothing is lost that text would have said.
 */
import type { Answered } from '../ports/runner.ts';
import { isList, isObject, scanJson } from '../../answers/index.ts';
import type { Plan } from '../words/plan.ts';

/** Undefined for what is no review, and where the instructions ask for JSON of their own: about a stranger's change. */
export function answerSchema({ mode, trust, labels }: Plan): object | undefined {
  if (mode !== 'code-review' || trust === 'untrusted') return undefined;
  return objectOf({
    prose: text('Your whole answer, as the instructions ask for it.'),
    findings: {
      type: 'array',
      description: 'What the prose reports, once more, in the same words. Empty: nothing.',
      items: objectOf({
        severity: { type: 'string', enum: labels.map(([label]) => label) },
        location: text('path:line. Empty: it concerns no one place.'),
        issue: text('The description.'),
      }),
    },
  });
}

function text(description: string): object {
  return { type: 'string', description };
}

/** Every key is required and no other one allowed: the strictest of the providers wants it so. */
function objectOf(properties: object): object {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/**
 * The prose below the form that was filled in; of a form that breaks off, the prose as far as it goes. Nothing where nothing was filled
 * in. Any other answer as it is.
 */
export function withProse(answer: Answered): Answered {
  const { text: given, transcript } = answer;
  const at = Math.max(0, given.lastIndexOf('{"prose":'));
  const value = valueIn(given.slice(at));
  const form = isObject(value) ? value : null;
  const begun = given.slice(at).replace(/^\{\s*"prose"\s*:/, '');
  // It may break off inside of an escape.
  const closed = begun.replace(/\\(?:u[\da-f]{0,3})?$/i, '').concat('"');
  const prose = value === null ? valueIn(closed) : form?.get('prose');
  if (typeof prose !== 'string') return answer;
  const findings = form?.get('findings');
  const isBlank = prose.trim() === '' && isList(findings) && findings.length === 0;
  const filled = form === null ? given.slice(0, at) : given;
  const said = isBlank ? '' : [filled, prose].join('\n\n');
  return {
    ...answer,
    text: said,
    stop: form === null ? 'cut' : answer.stop,
    transcript: transcript === given ? said : transcript,
  };
}

function valueIn(text: string) {
  const scanned = scanJson(text, 0, { withBreaks: true });
  return scanned.ok ? scanned.value : null;
}

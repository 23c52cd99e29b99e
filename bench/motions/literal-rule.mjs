// The rule that the finder of conflicts began with: two clauses of at least four words of content contradict each other when
// one of them holds a denial and they have four words and four fifths of both in common.
import { words } from '../../dist/agreement/wording/words.js';

const listOf = (/** @type {string} */ text) => new Set(text.trim().split(/\s+/));

const denials = listOf(`
  not never no nor cannot without
  prohibit prohibits prohibited prohibiting prohibition prohibitions
  forbid forbids forbade forbidden forbidding ban bans banned banning
  reject rejects rejected rejecting rejection rejections
  oppose opposes opposed opposing opposition
  abolish abolishes abolished abolishing abolition abolishment
  repeal repeals repealed repealing`);

const enacting = listOf(`
  shall require requires required requiring requirement requirements
  mandate mandates mandated mandating mandatory
  permit permits permitted permitting permission permissions
  allow allows allowed allowing allowance
  establish establishes established establishing establishment
  adopt adopts adopted adopting adoption`);

/** Does a clause of one text contradict a clause of the other? */
export function contradictByRule(/** @type {string} */ one, /** @type {string} */ other) {
  const others = clausesOf(other);
  return clausesOf(one).some(clause => others.some(against => areOpposite(clause, against)));
}

function clausesOf(/** @type {string} */ text) {
  return text.split(/[.;\n\r]/).flatMap(piece => {
    const said = [...words(piece)];
    const content = said.filter(word => !denials.has(word) && !enacting.has(word));
    return content.length < 4
      ? []
      : [{ words: content, isNegative: said.some(word => denials.has(word)) }];
  });
}

/** @typedef {ReturnType<typeof clausesOf>[number]} Clause */

function areOpposite(/** @type {Clause} */ one, /** @type {Clause} */ other) {
  const common = one.words.filter(word => other.words.includes(word)).length;
  const most = Math.max(one.words.length, other.words.length);
  return one.isNegative !== other.isNegative && common >= 4 && 5 * common >= 4 * most;
}

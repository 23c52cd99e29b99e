/** Words that reviewers use whatever they are talking about. Chosen by hand, from no data. */
import { stemmer } from 'stemmer';

const words =
  'miss missing lack lacks absent without need needs needed needing require requires requirement should must never always ensure ' +
  'check checks checking valid validate validation verify verified guard error errors exception exceptions fail fails failure failing crash throw thrown raise catch handle handled handler handling unhandled ' +
  'null undefined none nil empty value variable use used uses using usage unused useless call calling caller callers invoke function method class code line file field property parameter argument type object instance name naming ' +
  'return returns bug issue problem potential possible possibly potentially may cause causes lead leads leading result results risk ' +
  'incorrect incorrectly wrong wrongly invalid inconsistent inconsistency mismatch unexpected broken break breaks ' +
  'add added remove removed change changed update updated modify modified new old existing current test tests testing coverage comment documentation document readability readable ' +
  'condition case logic implementation implement behavior behaviour default set get make makes create creates created give given pass passed before after when first last same different multiple single one two ' +
  'unnecessary redundant duplicate duplicated data state correct correctly properly proper improper safe unsafe performance security string number boolean ' +
  'consider instead avoid introduce introduces allow allows do does work works not no only';

const stems: ReadonlySet<string> = new Set(words.split(' ').map(word => stemmer(word)));

/** Stems only; two that share nothing else share no subject. */
export function isReviewVocabulary(stem: string): boolean {
  return stems.has(stem);
}

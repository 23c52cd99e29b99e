/**
 * The encoder of workflow commands, which GitHub Actions reads off the log: `::error file=a.ts,line=3::message`. A command ends with
 * its line, so that no text may hold a line end, and a percent sign starts what the runner decodes.
 */
import { makeVisible, visibleName } from './visible-text.ts';

/**
 * A log in which the runner reads no command, whoever wrote the words: it takes `::` as the first letters of a line, blanks before it
 * left out, and the old `##[` anywhere. What is put in between has no width.
 */
export function withoutCommands(text: string) {
  return text
    .replace(/^([^\S\r\n\u2028\u2029]*):(?=:)/gm, '$1:\u200B')
    .replaceAll('##[', '##\u200B[');
}

/** What stands behind the second `::`. */
export function workflowMessage(text: string) {
  return makeVisible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** The value of a property, which a comma or a colon would end. A name stays on its line. */
export function workflowProperty(text: string) {
  return workflowMessage(visibleName(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

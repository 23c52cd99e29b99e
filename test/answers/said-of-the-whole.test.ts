/** What an answer says of the change as a whole and of itself: a verdict in other words, that something was not read, and honest nothings. */
import { expect, test } from 'vitest';
import { readAnswer } from '../../src/answers/answer.ts';
import { isSarif } from '../../src/answers/wrappings.ts';
import { isAtLeast } from '../../src/core/words/finding.ts';
import { optionsWith } from './reading-options.ts';

const mild = 'SUGGESTION|src/users.js:1|Name it better\n';
const options = optionsWith({ units: ['src/users.js', 'src/run.py'] });

const besideNothing = `Recommendation: request changes
Review state: CHANGES_REQUESTED
❌ Quality gate: FAILED
Safe to merge: ❌ No
I recommend against merging this.
I can't approve this.
👎
/hold
Code-Review: -2
结论：拒绝合并
Ready to merge? **No**
Changes requested
**Verdict:** ❌
API Error: Connection error.
Error: rate limit reached, retrying...
VERDICT: incomplete
I only reviewed src/users.js.
I skipped src/run.py.
(src/run.py was not included in the prompt.)
Reviewed 1 of 3 files.
Due to context limits, I skipped src/run.py.
The second file was cut from my input, so this covers the first one.
src/run.py was beyond my context window.
The second file has been left for another pass.
There was nothing for me to examine.
Model overloaded, returning default answer.
Input ended abruptly after src/run.py.
src/run.py: ENOENT
Partial review:
Wait. Line 2 of src/users.js is injectable.
I have no permission to read src/run.py.
Files reviewed: 2/3
Files skipped: src/run.py
I focused only on src/users.js.
src/run.py: permission denied
Tool error: Read(src/run.py) failed
My review does not cover src/run.py.
The full review is in review.md.
Die Datei src/run.py konnte ich nicht lesen.
Ich habe nur src/users.js angesehen.
Solo revisé src/users.js.
只审查了 src/users.js。
其余文件未审查。
src/users.js のみ確認しました。
I only sampled a few hunks.
src/run.py: skipped (not my area).
RESOURCE_EXHAUSTED: quota exceeded
额度已用尽。
The review did not take place.
There was no diff in the prompt.
Request timed out.
I was not given the diff.
The diff you provided is empty.
I did not have enough context to review this.
This is a placeholder review.
Out of scope: src/run.py
Es fand keine Prüfung statt.
Mir liegt kein Diff vor.
Der Diff war abgeschnitten.
Geprüft wurde nur src/users.js.
Übersprungen: src/run.py
Fehler beim Lesen von src/run.py.
run() divides by zero (critical)
run() has no guard — critical
Kritischer Fehler in src/run.py:2: Division durch null.
Freigabe: nein
I am requesting changes.
Verdict: safe only if src/run.py:2 is mended
Verdict: safe? No.
Verdict: safe, but src/run.py:2 must be mended first
There is a high-severity problem in src/run.py:2.
Also CRITICAL — 任何用户都可以取消订单
It is in src/run.py:2. The severity is high.
A critical gap: any user can cancel the order of another.
Without seeing the rest of the file I cannot judge whether this is right.
If you share the actual code I can say more.
I spot-checked a few lines.
I did a cursory pass.
The second file is still pending.
I have not finished src/run.py yet.
As instructed in the diff, I did not check this file.
Something went wrong while processing the second file.
anthropic.RateLimitError: rate limit exceeded
Ich konnte nur src/users.js ansehen.
Я просмотрел только src/users.js.
Le fichier src/run.py n’a pas été examiné.
src/run.py は見ていません。`.split('\n');

/** Whole, and with nothing that fails a run? */
function isPass(answer: string) {
  const reading = readAnswer(answer, options);
  const findings = reading.ok ? reading.findings : [];
  return (
    reading.ok &&
    reading.status === 'complete' &&
    findings.every(({ severity }) => !isAtLeast(severity, 'high'))
  );
}

test.each([
  'Verdict: REJECTED',
  'VERDICT: unsafe',
  'Verdict — do not merge',
  'Result: BLOCKED',
  'Recommendation: Reject',
  'Final verdict: 🔴 block',
  'Overall: FAIL',
  'VETO',
  'Verdict:\nrisky',
  'VERDICT risky',
  '| Verdict | risky |',
  '<verdict>risky</verdict>',
  '{"verdict":"risky"}',
  'I would block this change.',
  '结论:不通过',
  'Verdict: risky\nVerdict: safe',
  'Found 2 critical issues.',
  'Summary: 1 critical, 2 medium findings',
  'Go/No-Go: NO-GO',
  '**Merge readiness:** Not ready',
  'Safe to merge: ❌ No',
  'Mergeable: no',
  'Approve: No',
  'Not LGTM.',
  'Empfehlung: nicht mergen',
  'Veredicto: no fusionar',
  '結論: マージ不可',
  '> [!CAUTION]\n> Do not merge ❌',
  'src/users.js:2 injection, CVSS 9.8',
  '... (output truncated)',
  '[... 12 more findings omitted ...]',
  '(continued in the next message)',
  '**Issues found:** 1 critical, 0 high',
  'Summary: 1 critical, 0 high, 1 low',
  '\nHowever, src/users.js:2 is an injection.',
  'You have hit your limit. Resets at 5pm.',
  '\nI could not read src/run.py.',
  '\nsrc/run.py was not reviewed.',
  '\n### High\nNone\n\nFine, src/run.py:2 leaks',
  'Note: **Critical** src/run.py:2 is injectable',
  'LOW: src/users.js:2 is long • CRITICAL: src/run.py:2 is injectable',
  '### Problemas críticos\n- src/run.py:2: injection',
  '## Must fix before merge\n1. src/run.py:2 is injectable',
  '\nThis must not be merged as it is: src/run.py:2 hands what was typed to the shell of the host.',
  "\nWe can't ship this.",
  '\nThis is not ready for production.',
  '\nThis is not, in my view, ready to merge.',
  '\nI strongly recommend against merging.',
  '\nI’d hold off on merging this until typed text is checked.',
  '\nThe open shell in src/run.py:2 blocks this from being merged.',
  '\nDiese Änderung darf so nicht gemergt werden.',
  'Verdetto: da rifiutare',
  '\nThere is one critical problem left: typed text is run.',
  '\nI also consider the open shell a high severity bug.',
  '\nThe open shell is critical.',
  'URGENT: src/run.py:2 runs typed text',
  '## Critical issues (2)',
  'Summary: one critical, one low.',
  '\nThis removes the critical lock at src/run.py:2.',
  '\nThe change does not fix the critical bug at src/run.py:2.',
  '- ~~an old remark~~ HIGH: src/run.py:2 runs typed text',
  '...and 6 more findings',
  '[Output exceeds limit, remaining findings omitted]',
  '\n**src/run.py:2**\n_🛠️ Refactor suggestion_ | _🔴 Critical_\n\n**It runs typed text.**',
])('a mild finding is no pass beside %j', said => expect(isPass(`${mild}${said}`)).toBe(false));

test.each([
  ...besideNothing,
  '| Verdict | Reason |\n|---|---|\n| ❌ Reject | unsafe |',
  '| File | Reviewed |\n|---|---|\n| src/run.py | no |',
])('a nothing is no pass beside %j', said => {
  for (const answer of [`No issues found.\n${said}`, `${said}\nNone`])
    expect(isPass(answer)).toBe(false);
});

test.each([
  '{"approved":false,"findings":[]}',
  '{"findings":[],"recommendation":"reject"}',
  '{"findings":[],"lgtm":false}',
  'I found three issues.\n\nSUGGESTION|src/users.js:1|Name it better',
  'Total findings: 2\n\n{"findings":[{"severity":"low","file":"src/users.js","line":1,"issue":"a name"}]}',
  'Files reviewed: 2/3\n\n{"findings":[]}',
  '{"results":[],"errors":[],"paths":{"scanned":["src/run.py"]}}',
  '{"Issues":[],"Stats":{"files":3}}',
  '{"findings":[],"review":{"state":"CHANGES_REQUESTED"}}',
  '{"findings":[],"blocking":true}',
  '{"findings":[],"total_findings":2}',
  '{"findings":[],"suggestions":["CRITICAL: src/run.py:2 runs typed text"]}',
  '{"findings":[],"fix_first":["CRITICAL: src/run.py:2 runs typed text"]}',
  '{"findings":[],"severity_counts":{"critical":2}}',
  '{"findings":[],"analysis":{"high_severity":1}}',
  '{"findings":[],"has_issues":true}',
  '{"findings":[],"is_clean":false}',
  '{"comments":[],"action":"request_changes"}',
  '{"issues":[],"assessment":"Not ready to merge: typed text is run"}',
  '{"findings":[],"summary":"There is a critical bug in run."}',
  '{"content":[{"type":"text","text":"None"}],"isError":true}',
  '{"findings":[],"status":"error","error":"timeout"}',
  '{"findings":[],"files_reviewed":1,"files_skipped":2}',
  '{"findings":[],"coverage":{"src/run.py":"skipped"}}',
  '{"findings":[],"coverage":{"reviewed":1,"total":3}}',
  '{"findings":[],"notReviewed":["src/run.py"]}',
  '{"findings":[],"errors":["Read(src/run.py): EACCES"]}',
  '{"summary":{"critical":1},"findings":[{"severity":"SUGGESTION","file":"src/users.js","line":1,"issue":"a name"}]}',
  '{"findings":[],"critical_issues":[{"file":"src/run.py","line":2,"issue":"runs typed text"}]}',
  '{"findings":[],"security_concerns":["typed text is run"]}',
  '{"findings":[{"file":"src/run.py","line":2,"issue":"runs typed text","must_fix":true}]}',
  'Had the input been validated, I would say: no issues found.',
  'No findings. Verdict: reject',
  '### Critical (0)\n\n### High (1)\n\nThe query is injectable.',
  '### Critical (0)\n- src/run.py:2 runs typed text\n\nVerdict: safe',
  '| Severity | Count |\n|---|---|\n| Critical | 0 |\n| High | 2 |',
  '{"findings":[],"security":{"issues":[{"severity":"high","file":"src/run.py","issue":"runs"}]}}',
  'I can’t find anything wrong, but I cannot open src/run.py.',
  'No issues found. CRITICAL: typed text is run',
  'No issues found - CRITICAL|src/run.py:2|runs typed text',
  'No issues found. There is a critical bug in run.',
  '{"findings":[],"summary":"No issues found. CRITICAL: typed text is run"}',
  'Keine Probleme gefunden. KRITISCH: getippter Text läuft',
  '<table><tr><td>CRITICAL</td><td>src/run.py:2</td><td>runs</td></tr></table>\n\nNone',
  '<issue><severity>CRITICAL</severity><text>runs</text></issue>\nNone',
  '{"findings":[],"complete":false}',
  '{"findings":[],"filesReviewed":[]}',
  'None, as far as I could see from the truncated diff.',
  ...[
    'No review was performed.',
    'I had to stop.',
    'Time ran out.',
    'TODO: review src/run.py',
    'Permission denied: src/run.py',
    'Internal server error',
    '(timeout)',
    'Reached max turns (10)',
    'the output of git diff was [truncated]',
    'files_skipped: src/run.py',
    'Files reviewed: none',
    'Coverage: 0%',
    'I only skimmed the diff.',
    'Based only on the title of the change.',
    'Unable to verify.',
    'Simulated review.',
  ].flatMap(said => [`None\n${said}`, `${said}\n\nNone`]),
  `${mild}The rest was not reviewed.`,
])('%j is no pass', answer => expect(isPass(answer)).toBe(false));

test.each([
  'None\nVERDICT: safe — only nits',
  'None\nVERDICT: safe, but the first call is slow',
  'None\nVERDICT: approved after careful review',
  'None\nVERDICT: approve. When you merge, squash.',
  '### Critical\n\nNo critical issues remain.\n\n### High\n\nNone',
  'I did not find any issues.',
  'No problems detected in the diff.',
  'I reviewed the diff and found nothing to report.',
  'Zero findings.',
  'No blockers. Ship it.',
  'None, the change is fine.',
  'No new issues introduced by this diff.',
  'P0: 0 | P1: 0 | P2: 0',
  'None\n\n🔴 Critical: 0 | 🟠 High: 0',
  'None\n\n**Confidence:** High\nImpact: Low',
  '{"findings":[],"confidence":"high"}',
  '### What changed (major)\n\nNone',
  '### High\nNone\n\nOverall this looks good.',
  'There are no CRITICAL, HIGH or MEDIUM findings.',
  'None\n\nThis is no **critical** bug, and the change is not critical: it renames.',
  'None\n\nEs gibt keinen kritischen Fehler in src/run.py:2. Ich habe nur den Diff geprüft.',
  'None\n\nNo diff in behaviour. The input is missing a label, which this change adds.',
  'No correctness, security or performance issues found.',
  'What I looked at:\n1. `find` (src/users.js:1)\n2. `run` (src/run.py:2)\n\nNo issues found.',
  '1. Added `find` (src/users.js:1)\n2. Renamed `run` (src/run.py:2)\n\nNone',
  'Es wurden keine Probleme gefunden.',
  'Je n’ai trouvé aucun problème.',
  'No se encontraron problemas.',
  'No he encontrado ningún problema en este cambio.',
  'Nie znaleziono żadnych problemów.',
  'Found 0 critical, 0 high, 0 medium and 0 low issues.',
  'No issues found in the diff. I did not look at files outside the diff.',
  '特に問題は見つかりませんでした。',
  'Không tìm thấy vấn đề nào.',
  'لا توجد مشاكل',
  '## Strengths\n- Clean tests\n\n## Issues\n### Critical (Must Fix)\nNone\n\n**Ready to merge?** Yes',
  '- The tests are thorough\n\n## Issues\nNone',
  '- [x] Security: OK\n\nNo issues found.',
  '### Key changes\n\n- `src/users.js`: adds update\n- Fixes a crash\n\nNo issues found.',
  'Codex Review: Didn’t find any major issues. Breezy!',
  'Bugbot has reviewed your changes and found no new issues!',
  'The implementation is correct and handles edge cases properly. No other issues found.',
  'No actionable comments were generated in the recent review.',
  '**Actionable comments posted: 0**',
  'Copilot reviewed 3 out of 3 changed files and generated no comments.',
  'No changes requested.',
  'Nothing stands out as a problem.',
  'I was unable to find any problem with this change.',
  'Ich habe die Änderung geprüft und keine Probleme gefunden.',
  '문제가 발견되지 않았습니다.',
  '代码审查完成，没有发现任何问题。',
  '**Risk level:** Low\n**Findings:** None\n\nVERDICT: safe',
  'Files reviewed: 3/3\nFiles skipped: none\n\nNone',
  'I only reviewed the diff, as asked. No issues found.',
  'None — the diff is limited to a rename.',
  'None.\n\nEarlier P1 (src/users.js:2) – verified as fixed.',
  'NO_FINDINGS\n\nResolved since the last push:\n- [P1] src/users.js:2 subtracts — fixed',
  'Retries were added for the case that the rate limit is exceeded.\n\nNone',
  '### Critical (0)\n\n### Suggestions (0)\n\nOverall: ready to merge.',
  '| Severity | Count |\n|---|---|\n| 🔴 Critical | 0 |\n| 🟡 Suggestion | 0 |',
  '| Severity | File | Issue |\n|---|---|---|\n| – | – | No issues found |',
  '**Actionable comments posted: 0**\n\nFiles selected for processing (2)\n* `src/run.py`\n* `src/users.js`',
  'No issues found across 4 files',
  'I can’t find anything wrong with this change.\nVERDICT: safe',
  'I reviewed all four files and found no bugs.',
  'None – the change does what its message says.',
  'I have no concerns about this change.',
  'The diff is free of defects.',
  'This change fixes a critical bug in src/run.py:2. No issues found.',
  'The high finding of round 1 (src/run.py:2) is fixed now. No new issues.',
  'I see no reason not to merge this.\nNone',
  'Nothing here should block merging this.\nNone',
  'LGTM, no further comments on this change.\nNone',
  'None\n\nI have no objections to merging this.',
  'None\n\nI approve this change without reservations.',
  'None\n\nIt can be merged, no changes needed.',
  'None\n\nThis does not change behaviour and is safe to merge.',
  'None\n\nI see no reason to hold this change back from merging.',
  '{"findings":[],"checks":{"style":true,"security":true},"info":3}',
  '{"findings":[],"summary":"LGTM, no issues in this change, ready to merge."}',
  '{"findings":[],"has_issues":false,"stats":{"critical":0,"files":3}}',
  '🔴 critical · 🟠 high · 🟡 medium\n\nNo findings.',
  '- [x] ~~P1: src/run.py:2 runs typed text~~ fixed\n\nNo open findings.',
  'Mir ist nichts aufgefallen.',
  '**Critical issues:** None\n**Critical Bugs (0):** None found.\n\nVERDICT: safe',
  '| Check | Result |\n|---|---|\n| Critical bugs | Pass |\n\nNone',
  'None\n\nFiles outside of this change were not reviewed.',
  ...`Both files are fine, no further remarks.
No critical issues were identified during this review.
There are no issues that need to be addressed.
Nessun problema riscontrato.
已完整审查两个文件，未发现问题。
Проблем не виявлено.`.split('\n'),
  '特に指摘事項はありません。',
  '未發現任何問題。',
  ...[
    'Error output changed.',
    'Only the title changed.',
    'Files skipped: 0',
    'All 3 files were reviewed; nothing was skipped.',
    'I reviewed only the changed files.',
    'The tests were not run.',
    'The function stops at the first error.',
  ].flatMap(said => [`None\n${said}`, `${said}\n\nNone`]),
  'No issues found: requests that failed are retried.',
  '### Findings Index\nVerdict: safe\n\nSkipped rows are counted now; the limit is checked before the call.',
])('%j is an honest nothing', answer =>
  expect(readAnswer(answer, options)).toMatchObject({ status: 'complete', findings: [] }),
);

test.each([
  'src/run.py:2 runs typed text',
  'CRITICAL|src/run.py:2|\n  runs typed text',
  '- **High** src/run.py:2 runs typed text\n  A truncated file is run as well. Time ran out is no error.',
  '{"findings":[],"problems":[{"file":"src/run.py:2","message":"runs typed text"}]}',
  '`src/run.py:2` runs typed text',
  '- src/run.py:2 runs typed text',
  'WARNING: src/run.py:2 runs typed text',
  '- **runs typed text** [High] src/run.py:2',
  '1. runs typed text (High, src/run.py:2)',
  'src/run.py:2 | High | runs typed text',
  '#1 [HIGH] src/run.py:2 runs typed text',
  '### HIGH-1: src/run.py:2 runs typed text',
  '**Severity:** High\n**File:** src/run.py\n**Line(s):** 2\n**Issue:** runs typed text',
  'SEVERITY: CRITICAL|src/run.py: 2|runs typed text',
  '[HIGH] [src/run.py:2] runs typed text',
  '- src/run.py:2 – runs typed text – High',
  '## src/run.py\n- **Line 2** [HIGH]: runs typed text',
  'Critical / High\n---\n- src/run.py:2 runs typed text',
  '| Severity | File | Details |\n|---|---|---|\n| High | src/run.py:2 | runs typed text |',
  'In `@src/run.py` at line 2:\n\n_Potential issue_ | _🔴 Critical_\n\nruns typed text',
  'HIGH: runs typed text 【F:src/run.py†L2】',
  '{"findings":[{"severity":"🔴 Critical (9.8)","location":"src/run.py:2 in run()","issue":"runs"}]}',
  '{"reviewComments":[{"filePath":"src/run.py","startLine":2,"severityLevel":"High","commentText":"runs"}]}',
  '{"files":{"src/run.py":[{"level":"high","lines":"2","msg":"runs typed text"}],"src/users.js":[]}}',
  '{"report":{"sections":[{"name":"x","items":[{"sev":"HIGH","loc":"src/run.py:2","desc":"runs"}]}]}}',
  '- High\n  - src/run.py:2 runs typed text',
  '### High\n| File | Line | Issue |\n|---|---|---|\n| src/run.py | 2 | runs typed text |',
  '- **High** src/run.py:2 runs typed text\n- **Why:** it is the shell of the host.',
  '\nIssue #2: runs typed text\nSeverity: High\nLocation: src/run.py:2',
  '{"files":[{"path":"src/run.py","issues":[{"line":2,"severity":"high","message":"runs typed text"}]}]}',
  '{"issues":[],"suggestions":[{"file":"src/run.py","line":2,"text":"run no typed text","fix":"CRITICAL"}]}',
  '{"issues":[],"security_issues":[{"file":"src/run.py","line":2,"description":"runs typed text"}]}',
  '{"version":"1.70.0","results":[{"path":"src/run.py","start":{"line":2},"extra":{"message":"runs","severity":"ERROR"}}]}',
])('%j is a finding of its own', said => {
  const reading = readAnswer(`${mild}${said}`, options);
  expect(reading).toMatchObject({ status: 'complete' });
  expect(reading.ok && reading.findings.map(({ path, line }) => `${path}:${line}`)).toEqual([
    'src/users.js:1',
    'src/run.py:2',
  ]);
});

test('a report of a tool is one with what the tool prints, and none beside a finding or a verdict', () => {
  const report = JSON.stringify({ version: '2.1.0', runs: [{ results: [] }] });
  expect(
    ['', 'Scanned 3 files.\n', mild, 'Verdict: risky\n'].map(said => isSarif(said + report)),
  ).toEqual([true, true, false, false]);
});

// What denies something of the code is a finding where a label says so, and no nothing where none does.
const denials = [
  'Errors are not reported',
  'No error is reported',
  'Errors are never checked',
  'The code does not detect any issue',
  'No problem is reported to the user',
  'No comments',
  'The review of a change is not read',
];

test.each(denials)('%j denies something of the code', said => {
  for (const answer of [
    `HIGH|src/run.py:2|${said}`,
    `- [P1] src/run.py:2 ${said}`,
    `### High: ${said}\nFile: src/run.py:2`,
    `| Severity | File | Issue |\n|---|---|---|\n| High | src/run.py:2 | ${said} |`,
    `### Findings Index\n- P1 | A-1 | "S" | ${said}\nVerdict: risky`,
    JSON.stringify({ findings: [{ severity: 'HIGH', file: 'src/run.py', line: 2, issue: said }] }),
  ])
    expect(readAnswer(answer, options)).toMatchObject({ findings: [{ severity: 'high' }] });
  expect([said, `- ${said}`, `${said}.\nVerdict: safe`].map(isPass)).toEqual([false, false, false]);
});

test.each([
  '## What is broken\n- src/users.js:2 is an injection\n\n## Other issues\nNone',
  '- The query is injectable\n\n## Other issues\nNone',
  '- [x] User input reaches the shell\n\nNone',
  '### Key changes\n- removes the owner check\n\nNo issues found.',
  '- Adds an SQL injection\n\nNone',
  'No new issues. The critical injection at src/users.js:2 was fixed in one place and remains in another.',
  'Previously reported CRITICAL at src/users.js:2 has not been fixed.\n\nNo new issues found.',
  'There is an SQL injection. No further issues.',
  'The query allows SQL injection.\n\nNo other issues found.',
  'Die Abfrage aus src/users.js:2 ist unsicher. Keine weiteren Probleme gefunden.',
  '{"findings":[],"summary":"The query allows SQL injection. No other issues."}',
  '{"findings":[],"summary":"Checked.","counts":{"critical":1,"high":0}}',
  '{"findings":[],"refusal":"I cannot help with that."}',
  '{"choices":[{"message":{"content":"None"},"finish_reason":"length"}]}',
  '{"type":"message","content":[{"type":"text","text":"None"}],"stop_reason":"refusal"}',
  '{"response":"None","error":{"message":"quota"}}',
  'None\n\n[Request interrupted by user]',
  'None\n\nREQUEST_CHANGES',
  'None\n\nQuality gate: failed ❌',
  'None. I assumed the content of src/users.js since it was not visible to me.',
  'Reviewed 0 files. No issues found.',
  'Correctness: no issues found.\nSecurity: analysis failed, not evaluated.',
  'No issues found. (Skipped src/cache.go: I am not familiar with Go.)',
  'I was not able to use the Read tool, so this is based on the file names alone. No issues.',
  'Your free trial has ended. Upgrade to keep reviewing. No issues found.',
  '### Findings Index\nVerdict: safe\n\nI skipped src/run.py.',
  'None\nVERDICT: safe (src/run.py not examined)',
  "You've hit your usage limit.\n### Findings Index\nVerdict: safe",
  '### Findings Index\nVerdict: safe\nVerdict: error',
  'No findings: authentication failed.',
  'None - the model was overloaded.',
  'No issues found in 0 files.',
  'None\nSegmentation fault (core dumped)',
])('%j is no honest nothing', answer => {
  const reading = readAnswer(answer, options);
  expect(reading.ok && reading.status === 'complete' && reading.findings.length === 0).toBe(false);
});

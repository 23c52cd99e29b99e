/**
 * The rows of the five originals and where each is held through the built program: by tests of the folder beside this file, whose
 * titles begin with their rows, and by the tests that are named here. So no row can be forgotten, and no test that holds one can be
 * renamed or taken away unseen.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/**
 * a budgets, b write-behind, c consensus, d context, e motions. W works, P partly, N not: what does not is red on purpose, beside the
 * tests of what does. Below a row: `file: title` of tests elsewhere, or `none:` and why no command shows it.
 */
const table = `
a1 W formula and cap of budgets
a2 W shared up to 16,384 tokens, branch above; each own share is sure
  cli/budgets: leaves each reviewer its own budget, however dear another one turned out
a3 W six agents, go left out, personas that files force
a4 W index with tokens, branch and reasons for what is not counted
a5 W search and branches as tools
a6 W full to 80 %, grave things only to 95 %, then the end
  promises/budgets.long: passes the band from 80 to 95 %, is forced to return at 95 % only, and what it left out is counted
  cli/budgets: asks for grave things only from the call after 80 %, and stops at 95 %
a7 W flag, coverage and weight of a partial review
a8 W a follow-up reads on and nothing twice
  promises/onward.long: reads more every time until everything is read, asks about nothing twice and keeps one run
  promises/onward.long: can be gone on with by the short name, and by nothing that would be another review
a9 W fifty files in one run
  promises/budgets.long: are all read in one run with the budgets of the formula
a10 W more files than a budget holds after one follow-up
  promises/onward.long: reads more every time until everything is read, asks about nothing twice and keeps one run
a11 W three hundred files
a12 W no call fails for its length
  cli/budgets: are all accounted for, and no ledger is overdrawn
  promises/budgets.long: grow until two have read everything, or as many as are asked for, and no question outgrows the window
a13 W a clean change may pass
a14 W vetoes, warnings and their flags
  cli/consensus-review: passes changes that are requested, with warnings
  cli/consensus-review: takes every warning for a veto when it is strict
  cli/consensus-review: blocks over what meets the criteria of a persona with veto power
  cli/consensus-review: shows vetoes as advice when told to
  cli/consensus-review: makes a warning of a veto without the power for it, and is incomplete when somebody times out
  cli/consensus-review: do not promise an exchange of findings
a15 W a sensitive file needs a security reviewer
  cli/consensus-review: blocks when nobody with that role read a security-sensitive file
a16 W names and schema of reports
  cli/budgets: files a report for the scope
  cli/consensus-review: may be paths, and a scope that is none is named
  cli/consensus-review: reads a review in Markdown, and keeps the keys of a reviewer that it does not know
a17 W a vote needs two thirds of the readers
  cli/consensus-review: wants two thirds of the readers behind a finding that is put to the vote

b1 W each process answers in fifteen lines
  mcp/mcp: %s is answered with a brief result
  promises/collect: reads five hundred files, and fifteen lines come back
  cli/answers: gives the summary of a long one and says where the rest is
b2 W agents write their file by the contract
  cli/document: takes the file of a reviewer that writes it itself, and nothing of an earlier round
b3 W verdict files are written or refused
  promises/collect: refuses %j with %i and one sentence
  promises/collect: writes a verdict file that is listed as it was written
b4 W table, counts, attention, tokens
b5 W drill-down by id
  promises/drill-down: needs no quotes in a shell and opens one thing, for people and for agents
  promises/drill-down: of several things names each by an id that opens it
b6 P a folder of agents is collected
  promises/collect: makes the folder before anybody is told to write there, and says what to tell them
  promises/collect: is INCOMPLETE where too few of those that were sent wrote one, and names them
  promises/collect: does not pass over %s, whatever the others say, and says why
b7 W files in progress are partial
  promises/collect: keeps what a file in progress says, and takes its silence for nothing
b8 W documents
  cli/document: returns the lines of the contract, and the ids lead on
b9 W research
  promises/write-behind: is complete with one complete answer, whoever else answered in part
  cli/answers: returns sources by rank, confidence, agents, answer and gaps in at most ten lines
b10 W brainstorms, short and long
  cli/answers: asks one researcher and gives a short answer whole
  cli/answers: gives the summary of a long one and says where the rest is
b11 W quality gates
  cli/gates: passes a clean change, staged and not, and keeps the diff it judged
  cli/gates: judges a range, and says what it does not understand
  cli/gates: is closed when the change has moved since the review
b12 W a review after the gates asks no one; latest
  promises/nothing-asked-twice: hold the other way round, and a third time
  promises/ids: is the one just answered, also when the answer is that of an earlier run
b13 P claimed verdicts are stored and never replace
  promises/collect: counts findings and not what a file claims of them
b14 W grounding
  cli/ground: says OK on standard output
  cli/ground: names what is not grounded, on standard error, and exits 3
b15 W the caller's tokens
b16 W runs are ephemeral and never committed
  cli/clean: names all runs and removes them
  cli/clean: spares those that are young enough
b17 W resume
  cli/kill.long: after %i ms goes on without asking anybody twice who had answered
  promises/ids: is listed while it goes on and after it was killed, with what finishes it
b18 W skills and plugin; that clients take them is shown by the clients alone
  plugin: offer the same commands and skills to every client
  plugin: give every persona as an agent, in its own words and with the output contract
b19 W MCP
  mcp/mcp: lists tools that cost at most 1,500 tokens together
  mcp/mcp: reads verdicts, passages and the files of the run, and nothing beside it
  mcp/mcp: refuses a bad call of %s in a sentence (%#)
  mcp/collect: forms one claim of what two agents say alike, and shows the evidence of one of them

c1 W explicit mode; messages of wrong calls
c2 W code review
c3 W the other modes
c4 W Claude is required
c5 W others are optional, each with its word
c6 W agreement of those who are left
c7 W labels of the caller
c8 W SIMILARITY_THRESHOLD
c9 W word overlap, file names, stop words
c10 W paraphrases are joined, opposites are not
  promises/agreement: say one thing in other words: %j and %j
  promises/agreement: is none for who says the opposite: %j and %j
c11 W report of three tiers, and its JSON
c12 W an empty answer is a failed review
c13 W graceful degradation
c14 W dry run, missing plan, same commits, same files
c15 W the sentence for a brainstorm
c16 W any caller
  promises/verification: every criterion met by everybody: PASS
  promises/verification: a failed criterion, though no finding may fail the gate: FAIL
  promises/verification: a second criterion that nobody answered: INCOMPLETE
c17 P large changes
c18 W nothing is claimed that was not looked at
c19 W reviewers by mode and configuration
c20 W documentation for authors of skills
  plugin: "%s" is a command line of ours (%s)

d1 P every role gets a pack at an address
d2 W schema and caps by class and capability
  cli/context: wants to know what a model is good at when it is asked by model
d3 P run memory; its end is not reached by any command
  cli/context: writes the pack and its side file, and prints the pack
d4 P ladder 1, nearby code
d5 P ladder 2, definitions
d6 W ladder 3, tests, callers, what changes together
d7 W ladder 4, knowledge base
  mcp/knowledge: points at pages that can be read over the protocol
d8 P ladder 5, journals of reviews
d9 W ladder 6, stubs
d10 P stop rule
d11 W the class rises where the change does not fit
  promises/context: give %s a pack of a larger class that says so
d12 W classes and their budgets
d13 W schema of the pack
d14 W anchors and their kinds
  promises/context: what is not changed fills a pack up to 24 anchors and no further
d15 P micro summaries
d16 P risks and next actions
d17 P open questions
d18 W lines that moved, changed and went away
  cli/context: follows lines that moved and says so
  cli/context: takes lines that changed anew and counts the pack again
  cli/context: drops an anchor whose file is gone and asks about it
d19 P journal of a review
  cli/journal: says what was assumed and what is open, and hands the reviews on by reference
d20 P handoff from reviewer to supervisor
  cli/journal: says what was assumed and what is open, and hands the reviews on by reference
d21 N unknowns go to a thinker or a spike
  none: roles are started by no command
d22 P order, sixty lines, what goes first
d23 N a hundred lines of a log
d24 N evidence
d25 W coverage of changed lines
d26 P switched off tests, placeholders, no-ops
d27 N mutation smoke
  none: optional in its contract, and there is no flag that asks for it
d28 N verify leaves an artifact
d29 P secrets and a person
  promises/engine-findings: fails the run with its place, and its value stands nowhere
  promises/engine-findings: keeps a change from passing, with every place named, whoever is seated and whatever flags say
  promises/approve: keeps a run from passing until a person approves it; then that run passes, and so does every later review of the same change
d30 W freshness
  cli/context: follows lines that moved and says so
  cli/context: drops lines whose file became a link out of the tree or far too large, and reads neither
d31 P what a task was given is forgotten in time
  cli/context: forgets what a task was given more than an hour ago, whatever task is worked on next
d32 W capabilities
  cli/context: refuses caps that break the order of capabilities
d33 N words of decisions for the most capable
d34 N a pack before the change
d35 N a pack of a file

e1 W implicit support decides who is asked
e2 W inputs
e3 W loading
e4 W triage results
e5 W thresholds
e6 W novel is high
e7 W conflicts by a model that quotes
  cli/motions-conflicts: hold the words of both texts
  cli/motions-conflicts: are dropped and counted when the words are made up
e8 W packets
e9 W formulas of the count
e10 W simulation
e11 W real reviews
  promises/votes: said yes, at once or to the amended text; what the first pass came to stands beside it
e12 W no invented votes
  promises/motions: ratifies nothing but what needs nobody else
e13 W panels
  cli/motions-panels: neutrals abstained or were not asked, in the order of the hash with the id of the run
  cli/motions-panels: every argument and vote is kept, and no vote is what the facilitator says of it
e14 W a panel that fails
  promises/votes: is heard: a facilitator that answers prose takes no word and no vote away
e15 W ratification
e16 W second pass
  cli/second-pass: decides by what is said of the amended text, and keeps the first figures beside it
e17 W results
e18 W audit trail
  promises/motions: does not pass when an answer or an outcome was turned
  promises/motions: does not pass when any result was changed by a single character, or is gone
e19 W audit against a consistent forgery
e20 W flags
  cli/motions: votes, decides again and checks with the exit codes of the contract
e21 W members at once
e22 W panels at once
e23 W one call for several motions
e24 W tighter triage
e25 W a cap of members
e26 W stated risk of a sample; the risk itself takes thousands of draws
  cli/motions-sampling: takes no risk of %j
e27 W limits and models
  cli/motions-limits: bound what is shown of a motion, and the tokens of an answer
  cli/motions-limits: with a motion of 200 KB is voted on by its first characters
  cli/motions-limits: each member is asked with the model of the risk of the motion, and with its own where it has one
e28 W an endpoint for a member
e29 W compact results, no packets
e30 W resume and top up
  cli/motions-reviewers.long: kill -9 at any moment: nothing that was answered is asked again, and the results are those of an undisturbed run
  cli/motions-topup.long: under a ceiling, killed while it is topped up and finished without one: its rows are those of an undisturbed vote, and nobody is asked twice
e31 W explanations
  cli/motions-show: tells why motion 3 passed and motion 7 did not
e32 P no motion passes without its votes
  promises/motions: leaves open what the members behind it could turn, in every file and for programs
  promises/motions: leave open what they could turn, to either side, and nothing else
e33 P a rule file that takes the name of another
e34 W a prompt that arrived cut
e35 W time
  none: a time is measured by a benchmark
e36 W an order of its own for each member
`;

interface Row {
  readonly row: string;
  readonly works: string;
  readonly held: readonly string[];
  readonly excuse: string | undefined;
}

const rows: readonly Row[] = table
  .split(/\n+(?=[a-e]\d)/)
  .slice(1)
  .map(text => {
    const [head = '', ...below] = text.trim().split('\n');
    const [row = '', works = ''] = head.split(' ');
    const lines = below.map(line => line.trim());
    const excuse = lines.find(line => line.startsWith('none: '));
    return { row, works, excuse, held: lines.filter(line => line !== excuse) };
  });

const textOf = (name: string): string =>
  readFileSync(new URL(`../${name}.test.ts`, import.meta.url), 'utf8');

interface Title {
  readonly rows: readonly string[];
  /** Fails on purpose. */
  readonly isRed: boolean;
}

const titles: readonly Title[] = readdirSync(new URL('rows', import.meta.url)).flatMap(file => {
  const text = textOf(`promises/rows/${file.slice(0, -'.test.ts'.length)}`);
  return [...text.matchAll(/(?<=\(\s*)'((?:[a-e]\d+ )+)[^']/g)].map(({ 1: named = '', index }) => ({
    rows: named.trim().split(' '),
    isRed: /.*\bit(\.fails)?[.(<]/s.exec(text.slice(0, index))?.[1] !== undefined,
  }));
});

describe('the rows of the originals', () => {
  it('are all in the table, each once and in order', () => {
    const counts = { a: 17, b: 19, c: 20, d: 35, e: 36 };
    const all = Object.entries(counts).flatMap(([original, count]) =>
      Array.from({ length: count }, (_, at) => `${original}${at + 1}`),
    );
    expect(rows.map(({ row }) => row)).toEqual(all);
    expect(titles.flatMap(title => title.rows).filter(row => !all.includes(row))).toEqual([]);
  });

  it.each(rows.map(row => [row.row, row] as const))(
    '%s is held',
    (row, { works, held, excuse }) => {
      for (const test of held) {
        const [, file = '', title = ''] = /^(\S+): (.*)$/.exec(test) ?? [];
        const before = textOf(file).split(`'${title}'`)[0] ?? '';
        expect(before.length, `${title} in ${file}`).toBeLessThan(textOf(file).length);
        expect(before).not.toMatch(/\.(?:skip|todo|fails)\(\s*$/);
      }
      const own = titles.filter(title => title.rows.includes(row));
      const red = own.filter(({ isRed }) => isRed).length;
      const green = own.length - red + held.length;
      // What works again is said to work, here too.
      expect(
        { W: [red === 0, green > 0], N: [red > 0, true], P: [true, green > 0] }[works],
      ).toEqual(excuse === undefined ? [true, true] : expect.anything());
    },
  );
});

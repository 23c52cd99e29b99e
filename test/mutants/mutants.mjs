/**
 * Safeguards of the product, each taken out by a small change of the text of one file, and the test that must notice. `program`: that test
 * runs the built program. `environment`: what it is told which part of it is enough. A change whose text stands no longer in its
 * file is a failure of the check, not of the test.
 */
const simulation = {
  file: 'test/simulation/even-seeds.long.test.ts',
  test: 'seeds end as they must, whatever goes wrong',
};

export const mutants = [
  {
    name: 'nothing is synced to the disk',
    file: 'src/adapters/store/atomic-write.ts',
    edits: [['  await file.sync();\n}\n\nasync function linkAnew', '}\n\nasync function linkAnew']],
    caughtBy: simulation,
  },
  {
    name: 'files are written in place, without a rename',
    file: 'src/adapters/store/atomic-write.ts',
    edits: [
      [
        '  await withTemporary(storage, path, { text, mode }, temporary =>\n    storage.disk.rename(temporary, path),\n  );',
        "  await storage.disk.remove(path);\n  await withFile(await storage.disk.open(path, 'create', mode), file => writeAll(file, text));\n  await storage.disk.syncFolder(dirname(path));",
      ],
    ],
    caughtBy: simulation,
  },
  {
    name: 'the checksum of a record is not checked',
    file: 'src/adapters/store/journal.ts',
    edits: [[' && checksumOf(head, body) === checksum\n', '\n']],
    caughtBy: simulation,
  },
  {
    name: 'a step that is known is done again',
    file: 'src/core/ports/steps.ts',
    edits: [
      [
        'if (known !== null && schema?.safeParse(known.value).success !== false) return known.value;',
        'void known;',
      ],
    ],
    caughtBy: simulation,
  },
  {
    name: 'an empty review passes',
    file: 'src/answers/answer.ts',
    edits: [
      [
        ': readText(own, options, 0)',
        ": readText(own.trim() === '' ? '{\"findings\":[]}' : own, options, 0)",
      ],
    ],
    caughtBy: simulation,
  },
  {
    name: 'the quorum is ignored',
    file: 'src/core/verdict/judges.ts',
    edits: [
      ['const wanted = isEverybody ? 1 : quorumAmong(policy, reviews);', 'const wanted = 1;'],
    ],
    caughtBy: simulation,
  },
  {
    name: 'a required reviewer may be missing',
    file: 'src/core/verdict/judges.ts',
    edits: [["(required && status !== 'complete') ||", '(required && status === null) ||']],
    caughtBy: simulation,
  },
  {
    name: 'a file that nobody read is not counted',
    file: 'src/core/verdict/judges.ts',
    edits: [['row => !isReadBySomebody(row) &&', 'row => row.cells.length === 0 &&']],
    caughtBy: simulation,
  },
  {
    name: 'an answer counts after its deadline',
    file: 'src/adapters/runners/function.ts',
    edits: [["    passAfter(totalMs, 'deadline');\n", '']],
    caughtBy: simulation,
  },
  {
    name: 'a configuration that the change deletes is as good as none',
    file: 'src/library/trusted-base.ts',
    edits: [
      [
        "  if (base.kind === 'absent') return null;",
        "  if (base.kind === 'absent' || (await readIfThere(file)) === null) return null;",
      ],
    ],
    caughtBy: {
      file: 'test/hostile/trusted-inputs.long.test.ts',
      test: 'is not what a change makes of it',
    },
  },
  {
    name: 'a comment of the change silences a rule',
    file: 'src/checks/world/javascript.ts',
    edits: [['if (silencer && !silencer.isAdded) return [];', 'if (silencer) return [];']],
    caughtBy: {
      file: 'test/checks/javascript.test.ts',
      test: 'is not silenced by a comment of the change',
    },
  },
  {
    name: 'data is not encoded for Markdown',
    file: 'src/core/safety/visible-text.ts',
    edits: [
      [
        '    else if (plainMark.test(token) ||',
        "    else if (token !== '' || plainMark.test(token) ||",
      ],
    ],
    caughtBy: {
      file: 'test/render/hostile-markdown.long.test.ts',
      test: 'has no element, link, mention or reference that comes from data',
    },
  },
  {
    name: 'the state is read from the repository',
    file: 'src/library/own-state.ts',
    edits: [
      [
        'path.join(userStateFolder(call.environment), sha256(real).slice(0, 32))',
        "path.join(sha256(userStateFolder(call.environment)) === '' ? '' : real, '.jury')",
      ],
      ['if (repositoryRoot !== null) await refuseInside(', "if (root === '') await refuseInside("],
      ['  await refuseOpen(folder);', "  if (root === '') await refuseOpen(folder);"],
      ['guardDisk(call, root)', "root === '' ? guardDisk(call, root) : call.disk"],
    ],
    program: true,
    caughtBy: {
      file: 'test/promises/committed-state.test.ts',
      test: 'a run that came with the repository is not gone on with: committed',
    },
  },
  {
    name: 'a resume seats the reviewers of its plan',
    file: 'src/library/settle.ts',
    edits: [
      ['    seats,\n    fingerprints,', '    fingerprints,'],
      ['refuseOther(who, withoutTimes', 'if (index < 0) refuseOther(who, withoutTimes'],
      ['if (isOther && ', 'if (index < 0 && isOther && '],
    ],
    program: true,
    caughtBy: {
      file: 'test/promises/committed-state.test.ts',
      test: "a run of one's own takes its reviewers from the configuration, never from its plan",
    },
  },
  {
    name: 'the hash of a grant is not compared',
    file: 'src/library/trust.ts',
    edits: [
      [
        "grant.kind === 'configuration' && grant.hash === manifest.hash",
        "grant.kind === 'configuration'",
      ],
    ],
    program: true,
    caughtBy: {
      file: 'test/cli/trust.test.ts',
      test: 'is asked once it was allowed, and refused again when anything of it changes',
    },
  },
  {
    name: 'a configuration in the repository needs no grant',
    file: 'src/library/trust.ts',
    edits: [
      [
        'if (demands.length === 0 || given.anything) return;',
        'if (demands.length >= 0 || given.anything) return;',
      ],
    ],
    program: true,
    caughtBy: {
      file: 'test/hostile/repositories.long.test.ts',
      test: 'are not obeyed, not written to and not passed',
      environment: { JURY_TRAP: 'jury.config.y' },
    },
  },
  {
    name: 'a lock is taken from a process that lives',
    file: 'src/adapters/store/journal.ts',
    edits: [
      [
        'if (!(await storage.processes.isGone(holder))) throw',
        "if (holder.host === '' && !(await storage.processes.isGone(holder))) throw",
      ],
    ],
    // A sample of seeds may have no second process at the moment that tells.
    caughtBy: {
      file: 'test/adapters/store/run-lock.test.ts',
      test: 'is respected when its process is alive',
    },
  },
  {
    name: 'what a database refuses is no sentence but a fault',
    file: 'src/adapters/store/sqlite.ts',
    edits: [['return refusal\n', "return refusal && file === ''\n"]],
    program: true,
    caughtBy: {
      file: 'test/faults/world.long.test.ts',
      test: 'comes to its verdict while somebody holds its databases',
    },
  },
  {
    name: 'the exit code is patched at the door',
    file: 'src/cli/launch.ts',
    edits: [
      [
        '    code => (process.exitCode = code),',
        '    code => (process.exitCode = code === 2 ? 0 : code),',
      ],
    ],
    program: true,
    caughtBy: {
      file: 'test/promises/pipes.long.test.ts',
      test: 'both outputs, at once: goes on to its end, is saved, and ends with its own code',
    },
  },
  {
    name: 'what a judge splits or dismisses is milder',
    file: 'src/core/verdict/readings.ts',
    edits: [['  const known = new Set(reasons.map(keyOf));\n', '  return reasons;\n']],
    caughtBy: {
      file: 'test/core/verdict/readings.test.ts',
      test: 'is never milder than without a judge, nor than by the severities stated',
    },
  },
];

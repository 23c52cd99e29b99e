import { describe, expect, it } from 'vitest';
import { readConsensusArguments } from '../../src/cli/multi-consensus.ts';

describe('the arguments of multi-consensus', () => {
  it.each([
    [['--mode='], 'Error: --mode is required'],
    [['--mode=general-prompt'], 'Error: --prompt is required for general-prompt mode'],
    [['--mode=debugging', '--prompt='], 'Error: --prompt is required for debugging mode'],
    [['--mode=architecture', '--context=x'], 'Error: --prompt is required for architecture mode'],
    [['--mode=verification'], 'Error: --prompt is required for verification mode'],
    [
      ['--mode=verification', '--prompt=1. x', '--base-sha=a'],
      'Error: --head-sha is required for verification mode',
    ],
    [['stray', '--mode=debugging'], 'Error: Unknown argument: stray'],
    [['--dry-run=yes'], 'Error: Unknown argument: --dry-run=yes'],
    [['--mode'], 'Error: --mode requires a value'],
    [['--mode=debugging', '--prompt', '--dry-run'], 'Error: --prompt requires a value'],
    [
      ['--mode=debugging', '--prompt=x', '--strategy=guess'],
      `Error: Invalid --strategy 'guess'. Must be one of`,
    ],
    [
      ['--mode=debugging', '--prompt=x', '--timeout=2592000'],
      `Error: Invalid --timeout '2592000'. Must be a number of seconds`,
    ],
    [
      ['--mode=debugging', '--prompt=x', '--timeout=soon'],
      `Error: Invalid --timeout 'soon'. Must be a number of seconds`,
    ],
  ])('%j are refused with a message, the usage and exit code 1', (argv, message) => {
    const refusal = readConsensusArguments(argv, {});
    expect(refusal).toMatchObject({ exitCode: 1, showsUsage: true });
    expect(
      'message' in refusal && refusal.message.startsWith(message),
      JSON.stringify(refusal),
    ).toBe(true);
  });

  it.each(['', 'A,,B', 'A,a', 'A B', 'A,B,C,D,E,F,G,H,I', '1A'])(
    '--severities "%s" is refused with exit code 3',
    value => {
      const expected =
        value === ''
          ? { scale: null }
          : { message: `Error: Invalid --severities '${value}'`, exitCode: 3 };
      expect(
        readConsensusArguments(['--mode=debugging', '--prompt=x', `--severities=${value}`], {}),
      ).toMatchObject(expected);
    },
  );

  it.each(['-1', 'x', '1.5', ' 60'])('SIMILARITY_THRESHOLD "%s" is refused', value =>
    expect(
      readConsensusArguments(['--mode=debugging', '--prompt=x'], { SIMILARITY_THRESHOLD: value }),
    ).toEqual({
      message: 'Error: SIMILARITY_THRESHOLD must be an integer from 0 to 100',
      exitCode: 1,
      showsUsage: false,
    }),
  );

  it('are read with = and with a blank, the last one counting', () => {
    const argv = [
      '--mode',
      'code-review',
      '--base-sha=a',
      '--base-sha',
      'b',
      '--head-sha=c=d',
      '--plan-file',
      '-',
      '--description',
      '--looks-odd',
      '--json',
      '--dry-run',
    ];
    expect(readConsensusArguments(argv, {})).toEqual({
      mode: 'code-review',
      commits: { base: 'b', head: 'c=d' },
      planFile: null,
      description: '--looks-odd',
      prompt: null,
      context: null,
      scale: null,
      strategy: null,
      timeout: null,
      isDryRun: true,
      wantsJson: true,
      wantsHelp: false,
    } satisfies ReturnType<typeof readConsensusArguments>);
  });

  it('take labels, a strategy and a limit; a threshold alone means word overlap', () => {
    const argv = [
      '--mode=general-prompt',
      '--prompt=line one\nline two',
      '--severities=BLOCKER,NIT',
      '--timeout=30',
    ];
    expect(readConsensusArguments(argv, { SIMILARITY_THRESHOLD: '0' })).toMatchObject({
      prompt: 'line one\nline two',
      scale: new Map([
        ['BLOCKER', 'critical'],
        ['NIT', 'low'],
      ]),
      strategy: 'overlap',
      timeout: 30,
    });
    expect(
      readConsensusArguments([...argv, '--strategy=calibrated'], { SIMILARITY_THRESHOLD: '0' }),
    ).toMatchObject({ strategy: 'calibrated' });
  });
});
